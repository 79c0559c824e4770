export type Turns = ReturnType<typeof createTurns>

type Job = {
  address: string
  run: () => void
  /** Maximum charge, in ms. */
  maxMs: number
  /** When it started. */
  start: number
}

/** Time for jobs in a phase, in ms, which the active addresses share. Longer phases make fewer jobs wait. */
const phaseMs = 50
/** Minimum time for jobs in a phase, in ms, however many addresses are active. */
const shortestPhaseMs = 4
/** Length of a round, in ms. An address with waiting jobs may use this much time before the others have their turn. */
const roundMs = 0.25
/**
 * Maximum lead, in ms, of an address that has used less time than the others. It is long enough for the frames that a few
 * active clients send during one long iteration of the loop: they run immediately.
 */
const maxLeadMs = 2
/** Maximum number of addresses whose use is remembered. */
const maxAddresses = 10_000

/**
 * Shares the event loop between addresses, so that many or expensive requests from one address do not delay
 * the requests of other addresses. While the loop is not busy, a job runs immediately. Otherwise it waits, and the
 * address that has used the least time has its turn (start-time fair queueing, in rounds). The jobs of an address
 * run in order.
 *
 * Each iteration of the loop has two phases: one for new jobs, while sockets are read, then one for waiting
 * jobs.
 *
 * @param options.now - a monotonic clock in ms.
 * @see docs/threats.md#event-loop
 */
export function createTurns({ now = () => performance.now() }: { now?: () => number } = {}) {
  /** Waiting jobs by address. */
  const queues = new Map<string, Job[]>()
  /** Time that each address has used, in ms. Counted from {@link served} for an address that was behind it. */
  const used = new Map<string, number>()
  /** Addresses with waiting jobs, by the round of their turn. A turn that has come too early is moved. */
  const rounds = new Map<number, Set<string>>()
  /** The first round that may have addresses. */
  let round = 0
  /** Highest use at which an address had its turn, in ms. */
  let served = 0
  let phase = 0
  let phaseStart = 0
  let isPhaseOfNewJobs = false

  function schedule() {
    setImmediate(runNext, phase)
  }

  function isPhaseOver(time: number) {
    const addresses = Math.max(1, used.size, queues.size)
    return time - phaseStart >= Math.max(shortestPhaseMs, phaseMs / addresses)
  }

  function usedBy(address: string) {
    return Math.max(used.get(address) ?? 0, served - maxLeadMs)
  }

  function charge(address: string, ms: number) {
    if (used.size >= maxAddresses) used.clear()
    used.set(address, usedBy(address) + ms)
  }

  /** Runs a job. Also charges the microtasks that it starts, which do most of the work of a request. */
  function runJob(job: Job) {
    job.start = now()
    // A tick that a microtask adds runs once no microtask is left.
    void Promise.resolve(job).then(endInTick)
    job.run()
  }

  function endInTick(job: Job) {
    process.nextTick(end, job)
  }

  function end({ address, start, maxMs }: Job) {
    charge(address, Math.min(maxMs, now() - start))
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
    if (queues.size === 0) return reset()
    if (isPhaseOver(time)) return schedule()
    const address = findNext()
    const jobs = queues.get(address)!
    const job = jobs.shift()!
    if (jobs.length === 0) {
      queues.delete(address)
      rounds.get(round)!.delete(address)
    }
    runJob(job)
  }

  /** Forgets the use once no job waits. */
  function reset() {
    used.clear()
    rounds.clear()
    served = 0
    round = 0
  }

  /** Returns the first address of the first round. Addresses that have used more since then are moved to a later round. */
  function findNext() {
    for (;;) {
      const addresses = rounds.get(round)
      const address = addresses?.values().next().value
      if (address === undefined) {
        rounds.delete(round)
        round += 1
        continue
      }
      const time = usedBy(address)
      if (roundOf(time) <= round) {
        served = Math.max(served, time)
        return address
      }
      addresses!.delete(address)
      addTurn(address, roundOf(time))
    }
  }

  function addTurn(address: string, at: number) {
    const addresses = rounds.get(at)
    if (addresses) addresses.add(address)
    else rounds.set(at, new Set([address]))
    round = Math.min(round, at)
  }

  function enqueue(address: string, run: () => void, maxMs: number) {
    const job = { address, run, maxMs, start: 0 }
    const jobs = queues.get(address)
    if (jobs) jobs.push(job)
    else {
      queues.set(address, [job])
      addTurn(address, roundOf(usedBy(address)))
    }
    schedule()
  }

  /** Whether a new job may run immediately. */
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
     * Runs a job for an address, immediately or in a later turn of the address.
     *
     * @param bytes - size of the request, which bounds what its address is charged.
     * @returns whether it ran immediately.
     */
    run(address: string, job: () => void, bytes: number): boolean {
      const maxMs = maxMsOf(bytes)
      if (!isFree()) {
        enqueue(address, job, maxMs)
        return false
      }
      const start = now()
      job()
      charge(address, Math.min(maxMs, now() - start))
      return true
    },

    /**
     * Waits until it is the turn of an address. The microtasks that then run are charged to the address.
     *
     * @returns `undefined` if it is already.
     */
    enter(address: string, bytes: number): Promise<void> | undefined {
      if (!isFree()) return this.next(address, bytes)
      runJob({ address, run: () => undefined, maxMs: maxMsOf(bytes), start: 0 })
      return undefined
    },

    /** Resolves in a later turn of an address. The microtasks that then run are charged to the address. */
    next: (address: string, bytes: number) =>
      new Promise<void>((resolve) => enqueue(address, resolve, maxMsOf(bytes))),
  }
}

function roundOf(ms: number) {
  return Math.floor(ms / roundMs)
}

/**
 * Maximum charge for a job, in ms. Limits what an address pays for a garbage collection, or for microtasks of
 * other jobs.
 */
function maxMsOf(bytes: number) {
  return 2 + bytes / 100_000
}
