/** One measured figure and its limit. */
export type Finding = {
  what: string
  value: number
  unit: string
  /** The largest allowed value. */
  most?: number
}

/** The findings of one fault. */
export type Report = { name: string; findings: Finding[] }

/** Describes the findings that exceed their limit. */
export function describeExceeded(reports: readonly Report[]): string[] {
  return reports.flatMap(({ name, findings }) =>
    findings
      .filter(({ value, most }) => most !== undefined && !(value <= most))
      .map(
        ({ what, value, unit, most }) =>
          `${name}: ${what} is ${round(value)} ${unit}, at most ${most}`,
      ),
  )
}

export function formatReport({ name, findings }: Report): string {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map(({ what, value, unit, most }) => {
    const verdict =
      most === undefined ? '' : `at most ${most}  ${value <= most ? 'holds' : 'MISSED'}`
    return `  ${what.padEnd(width)}  ${`${round(value)} ${unit}`.padEnd(14)}  ${verdict}`.trimEnd()
  })
  return [name, ...lines].join('\n')
}

function round(value: number) {
  return Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}
