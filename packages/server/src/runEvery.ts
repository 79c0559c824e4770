/** Runs a job now and then periodically. @returns the function that stops it. */
export function runEvery(ms: number, job: () => unknown): () => void {
  void job()
  const timer = setInterval(() => void job(), ms)
  return () => clearInterval(timer)
}
