import { setFlagsFromString } from 'node:v8'

/** Sets V8's flags for the memory of a server. Call it before the server starts threads. */
export function setHeapFlags(): void {
  // By default, V8 lets the heap grow to four times the size of the live objects before a full collection, so
  // the memory of a busy relay grows for hours. With a factor of two, the relay is just as fast.
  setFlagsFromString('--heap-growing-percent=100')
  // By default, V8 puts new arrays into the old generation if those that the same code has created before have survived. The
  // first listeners of 100 sockets survive, and the same code creates the listeners of each request. These then keep
  // the requests in memory until a full collection, which costs a third of the time of a short request. Whether this
  // happens to a process depends on when its first clients connect.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // A limit in NODE_OPTIONS is meant for this thread, whose heap already has it. It would override the limits of
  // worker threads. Reset here, because V8 does not support changing flags while threads run.
  setFlagsFromString('--max-semi-space-size=0')
}
