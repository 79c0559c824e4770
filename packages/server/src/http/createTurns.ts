export type Turns = ReturnType<typeof createTurns>

type Job = {
  run: () => void
  /** Maximum charge, in ms. */
  maxMs: number
}

/** Time for jobs in a phase, in ms, which the active addresses share. Longer phases make fewer jobs wait. */
const phaseMs = 50
/** Minimum time for jobs in a phase, in ms, however many addresses are active. */
const shortestPhaseMs = 10
/** Time that an address with waiting jobs may use before the next address has its turn, in ms. */
const quantumMs = 0.25
/** Maximum number of addresses whose use is remembered. */
const maxAddresses = 10_000

/**
 * Shares the event loop between addresses, so that many or expensive requests from one address do not delay
 * the requests of other addresses. While the loop is not busy, a job runs at once. Otherwise it waits, and the
 * addresses take turns: an address that has used more time waits longer (deficit round robin). The jobs of an
 * address run in order.
 *
 * Each iteration of the loop has two phases: one for new jobs, while sockets are read, then one for waiting
 * jobs.
 *
 * @param options.now - a monotonic clock in ms.
 * @see docs/threats.md#event-loop
 */
export function createTurns({ now = () => performance.now() }: { now?: () => number } = {}) {
  /** Waiting jobs by address. It is the turn of the first address. */
  const queues = new Map<string, Job[]>()
  /** Time that each address may still use in its turn, in ms; negative after an expensive job. */
  const credits = new Map<string, number>()
  let phase = 0
  let phaseStart = 0
  let isPhaseOfNewJobs = false

  function schedule() {
    setImmediate(runNext, phase)
  }

  function isPhaseOver(time: number) {
    const addresses = Math.max(1, credits.size, queues.size)
    return time - phaseStart >= Math.max(shortestPhaseMs, phaseMs / addresses)
  }

  function creditOf(address: string) {
    return credits.get(address) ?? quantumMs
  }

  function charge(address: string, ms: number) {
    if (credits.size >= maxAddresses) credits.clear()
    credits.set(address, creditOf(address) - ms)
  }

  /** Runs a job. Also charges the microtasks that it starts, which do most of the work of a request. */
  function runJob(address: string, { run, maxMs }: Job) {
    const start = now()
    const end = () => charge(address, Math.min(maxMs, now() - start))
    // A tick that a microtask adds runs once no microtask is left.
    queueMicrotask(() => process.nextTick(end))
    run()
  }

  /**
   * Ends the phase in which it was scheduled, then runs a waiting job, if there is one and time for it. Scheduled
   * once for each waiting job, and to end a phase of new jobs.
   */
  function runNext(scheduledIn: number) {
    const time = now()
    if (scheduledIn === phase) {
      phase += 1
      isPhaseOfNewJobs = false
      phaseStart = time
    }
    if (queues.size === 0) return credits.clear()
    if (isPhaseOver(time)) return schedule()
    const [address, jobs] = findNext()
    const job = jobs.shift()!
    if (jobs.length === 0) queues.delete(address)
    runJob(address, job)
  }

  /** Returns the first address with credit. Addresses before it get more credit and are moved to the end. */
  function findNext() {
    for (;;) {
      const first = queues.entries().next().value!
      const [address, jobs] = first
      const credit = creditOf(address)
      if (credit > 0) return first
      credits.set(address, credit + quantumMs)
      queues.delete(address)
      queues.set(address, jobs)
    }
  }

  function enqueue(address: string, job: Job) {
    const jobs = queues.get(address)
    if (jobs) jobs.push(job)
    else queues.set(address, [job])
    schedule()
  }

  /** Whether a new job may run at once. */
  function isFree() {
    if (queues.size > 0) return false
    if (isPhaseOfNewJobs) return !isPhaseOver(now())
    isPhaseOfNewJobs = true
    phaseStart = now()
    schedule() // ends the phase
    return true
  }

  return {
    /**
     * Runs a job for an address, at once or in a later turn of the address.
     *
     * @param bytes - size of the request, which bounds what its address is charged.
     * @returns a promise that resolves once the job has run; `undefined` if it ran at once.
     */
    run(address: string, job: () => void, bytes: number): Promise<void> | undefined {
      const maxMs = maxMsOf(bytes)
      if (isFree()) {
        const start = now()
        job()
        charge(address, Math.min(maxMs, now() - start))
        return undefined
      }
      return new Promise((resolve) => {
        const run = () => {
          job()
          resolve()
        }
        enqueue(address, { run, maxMs })
      })
    },

    /** Resolves in a later turn of an address. The microtasks that then run are charged to the address. */
    next: (address: string, bytes: number) =>
      new Promise<void>((resolve) => enqueue(address, { run: resolve, maxMs: maxMsOf(bytes) })),
  }
}

/**
 * Maximum charge for a job, in ms. Limits what an address pays for a garbage collection, or for microtasks of
 * other jobs.
 */
function maxMsOf(bytes: number) {
  return 2 + bytes / 100_000
}
