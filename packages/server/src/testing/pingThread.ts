/** A worker thread that pings Redis until it receives a message, then posts its longest wait in ms. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const socket = connect(workerData as number, '127.0.0.1').setNoDelay()
await once(socket, 'connect')
let longest = 0
const stop = new AbortController()
parentPort!.once('message', () => stop.abort()).postMessage('ready')
while (!stop.signal.aborted) {
  const begin = performance.now()
  socket.write('PING\r\n')
  await once(socket, 'data')
  longest = Math.max(longest, performance.now() - begin)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
socket.destroy()
parentPort!.postMessage(longest)
