import { limits } from '@gatefold/protocol'
import { findLabelProblem, officialZone } from '@gatefold/protocol/gateway'
import { defaultProjectId, type Project } from '../../storage/projects.ts'
import type { MoneyContext } from '../context.ts'
import { RefusedError } from '../requests.ts'

/**
 * The zone of the default project until the operator sets one. No DNS name ends
 * in `.alt` (RFC 9476), so these names cannot be mistaken for DNS names.
 */
export const defaultZone = 'gatefold.alt'

export type Zones = {
  /** The zone of the request's project. */
  own: string
  /**
   * The zone of the default project, which official clients use in every
   * project.
   */
  shared: string
}

export async function readZones(
  { projects }: Pick<MoneyContext, 'projects'>,
  project: Project,
): Promise<Zones> {
  const base = project.id === defaultProjectId ? project : await projects.get(defaultProjectId)
  const shared = base?.zone ?? defaultZone
  return { own: project.zone ?? shared, shared }
}

/**
 * Splits a name into its label and zone, in lower case. A label without a zone, and one in `reown.id`, is in the shared
 * zone.
 *
 * @throws {RefusedError} if the label or the zone is malformed.
 * @see docs/adr/0019-zones-of-names.md; spec §5.4.1
 */
export function parseName(text: string, { shared }: Zones) {
  const dot = text.indexOf('.')
  const written = dot === -1 ? text : text.slice(0, dot)
  const zone = dot === -1 ? officialZone : text.slice(dot + 1).toLowerCase()
  const problem = labelProblem(written)
  if (problem) throw new RefusedError('name', `name ${problem}`)
  // PostgreSQL refuses some texts, which would look like an outage.
  if (!/^[a-z0-9.-]+$/.test(zone))
    throw new RefusedError(
      'name',
      'name must end with a zone of letters (a to z), digits, hyphens and dots',
    )
  const label = written.toLowerCase()
  const inZone = zone === officialZone ? shared : zone
  return { label, zone: inZone, name: `${label}.${inZone}` }
}

/** The reason why a label cannot be a name; `undefined` if it can. */
export function labelProblem(label: string): string | undefined {
  const problem = findLabelProblem(label)
  if (!problem) return undefined
  if (problem === 'address') return 'must not look like an address'
  if (problem === 'characters' || problem === 'hyphens')
    return 'must consist of letters (a to z), digits, and single hyphens between them'
  return `must have ${limits.nameMinLength} to ${limits.nameMaxLength} characters`
}
