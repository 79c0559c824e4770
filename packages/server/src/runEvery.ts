/** Runs a job immediately, then every `ms` milliseconds. @returns a function that stops it. */
export function runEvery(ms: number, job: () => unknown): () => void {
  void job()
  const timer = setInterval(() => void job(), ms)
  return () => clearInterval(timer)
}
