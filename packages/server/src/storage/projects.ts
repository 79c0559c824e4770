import {
  defaultOrigins,
  featureIds,
  featureOptions,
  isOriginAllowed,
  localOrigins,
  type Feature,
  type FeatureId,
} from '@gatefold/protocol/gateway'
import type { Kysely } from 'kysely'
import type { Database } from './openStorage.ts'

export type ProjectsTable = {
  id: string
  name: string
  allowed_origins: string
  default_origins: number
  features: string
  domains: string
  analytics: number
  active: number
  created_at: number
  updated_at: number
}

/** `off`; `local`: the page decides; or the list that decides for it (empty for a plain switch). */
export type FeatureState = 'off' | 'local' | readonly string[]

/** Who a page belongs to, and what it may do. */
export type Project = {
  /** 1 to 64 letters, digits, `-` and `_`. */
  id: string
  name: string
  allowedOrigins: readonly string[]
  /** Whether the default list of the specification (§5.7) passes as well. */
  defaultOrigins: boolean
  features: Partial<Record<FeatureId, FeatureState>>
  domains: readonly string[]
  analytics: boolean
  active: boolean
  /** Unix time in ms. */
  createdAt: number
}

/** The project of a request that names none. It exists from the start. */
export const defaultProjectId = 'default'

/**
 * Off until somebody sets them: Reown authentication replaces a page's own sign-in, e-mail capture
 * blocks a visitor, and for the other two this server has no endpoints to announce.
 */
const usuallyOff: ReadonlySet<FeatureId> = new Set([
  'email_capture',
  'reown_authentication',
  'payments',
  'fund_from_exchange',
])

/** The state of a feature nobody has set. */
export function usualFeatureState(id: FeatureId): FeatureState {
  return usuallyOff.has(id) ? 'off' : featureOptions[id]
}

/** A project's features as a client reads them. @see contract of the gateway, 3.3 */
export function toFeatures(project: Project): Feature[] {
  return featureIds.map((id) => {
    const state = project.features[id] ?? usualFeatureState(id)
    if (state === 'off') return { id, isEnabled: false, config: [] }
    if (state === 'local') return { id, isEnabled: true, config: null }
    return { id, isEnabled: true, config: [...state] }
  })
}

/**
 * Whether a page may use a project. A request without an origin does not come from another
 * site's page, so it may.
 */
export function admits(project: Project, origin: string | undefined): boolean {
  if (!origin) return true
  const lists = project.defaultOrigins
    ? [...project.allowedOrigins, ...defaultOrigins]
    : project.allowedOrigins
  return isOriginAllowed(origin, lists)
}

/** Makes the default project unless it is there. */
export async function ensureDefaultProject(db: Kysely<Database>, now: number) {
  await db
    .insertInto('projects')
    .values(
      toRow(
        {
          id: defaultProjectId,
          name: 'Default',
          allowedOrigins: localOrigins,
          defaultOrigins: false,
          features: {},
          domains: [],
          analytics: true,
          active: true,
          createdAt: now,
        },
        now,
      ),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

export async function findProject(db: Kysely<Database>, id: string): Promise<Project | undefined> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** All projects, oldest first. */
export async function listProjects(db: Kysely<Database>): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** Writes a whole project, new or known. */
export async function saveProject(db: Kysely<Database>, project: Project, now: number) {
  const row = toRow(project, now)
  const { id: _, created_at: __, ...changes } = row
  await db
    .insertInto('projects')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
    .execute()
}

function toRow(project: Project, now: number): ProjectsTable {
  return {
    id: project.id,
    name: project.name,
    allowed_origins: JSON.stringify(project.allowedOrigins),
    default_origins: project.defaultOrigins ? 1 : 0,
    features: JSON.stringify(project.features),
    domains: JSON.stringify(project.domains),
    analytics: project.analytics ? 1 : 0,
    active: project.active ? 1 : 0,
    created_at: project.createdAt,
    updated_at: now,
  }
}

function fromRow(row: ProjectsTable): Project {
  return {
    id: row.id,
    name: row.name,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
    defaultOrigins: row.default_origins === 1,
    features: JSON.parse(row.features) as Project['features'],
    domains: JSON.parse(row.domains) as string[],
    analytics: row.analytics === 1,
    active: row.active === 1,
    createdAt: row.created_at,
  }
}
