import { attacks } from './guards.ts'
import type { Guard } from './guards/Guard.ts'

/** Formats the tables of guards in docs/security.md. */
export function formatGuards(guards: readonly Guard[]): string {
  const sections = Object.entries(attacks).map(([point, { name, threats }]) => {
    const links = threats.map((threat) => `[${threat}](threats.md#${toAnchor(threat)})`).join(', ')
    const rows = guards
      .filter((guard) => guard.point === Number(point))
      .map(({ guard, file, test, title }) => `| ${guard} | \`${file}\` | \`${test}\`: ${title} |`)
    const head = ['| guard | where | test |', '| --- | --- | --- |']
    return [`### ${point}. ${name}`, '', `Threats: ${links}.`, '', ...head, ...rows].join('\n')
  })
  return sections.join('\n\n')
}

function toAnchor(heading: string) {
  return heading.toLowerCase().replaceAll(' ', '-')
}
