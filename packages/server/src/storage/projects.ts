import { recoveryMethods, type RecoveryMethod } from '@gatefold/protocol/frame'
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
import type { Database, ProjectsTable } from './Database.ts'

/** `off`, `local` (the site's options apply), or the enabled values (empty for a feature without values). */
export type FeatureState = 'off' | 'local' | readonly string[]

/** A tenant of the server, with allowed origins, domains and features. */
export type Project = {
  /** 1 to 64 letters, digits, `-` and `_`. */
  id: string
  name: string
  allowedOrigins: readonly string[]
  /** Whether the default origins are allowed too. @see spec §5.7 */
  defaultOrigins: boolean
  features: Partial<Record<FeatureId, FeatureState>>
  domains: readonly string[]
  /**
   * The zone of its names, such as `my-site.eth`; `null` for the default
   * project's zone.
   */
  zone: string | null
  analytics: boolean
  /** Whether a login of the secure frame on a new device is confirmed by a mailed link first. */
  confirmDevices: boolean
  /** Recovery methods that the secure frame offers on the project's sites. */
  recovery: readonly RecoveryMethod[]
  /** Whether visitors can log in with only a passkey. */
  passkeyLogin: boolean
  active: boolean
  /** Unix time in ms. */
  createdAt: number
}

/** Whether text has the form of a project id. */
export const isProjectId = (text: string) => /^[\w-]{1,64}$/.test(text)

/** The project for requests without a project id. It always exists. */
export const defaultProjectId = 'default'

/**
 * Features that are off by default. Reown authentication replaces a site's own sign-in, and email capture
 * blocks visitors. The server has no endpoints for the other two.
 */
const offByDefault: ReadonlySet<FeatureId> = new Set([
  'email_capture',
  'reown_authentication',
  'payments',
  'fund_from_exchange',
])

/** The default state of a feature. */
export function defaultFeatureState(id: FeatureId): FeatureState {
  return offByDefault.has(id) ? 'off' : featureOptions[id]
}

/** A project's features in the form that clients read. @see docs/contracts/gateway.md#remote-features */
export function toFeatures(project: Project): Feature[] {
  const features = featureIds.map((id): Feature => {
    const state = project.features[id] ?? defaultFeatureState(id)
    if (state === 'off') return { id, isEnabled: false, config: [] }
    if (state === 'local') return { id, isEnabled: true, config: null }
    return { id, isEnabled: true, config: [...state] }
  })
  return [...features, { id: 'passkey_login', isEnabled: project.passkeyLogin, config: [] }]
}

/**
 * Whether an origin may use a project. Requests without an origin may: a browser omits the origin only if the
 * page has the same origin or cannot read the response.
 */
export function allowsOrigin(project: Project, origin: string | undefined): boolean {
  if (!origin) return true
  const lists = project.defaultOrigins
    ? [...project.allowedOrigins, ...defaultOrigins]
    : project.allowedOrigins
  return isOriginAllowed(origin, lists)
}

/** Creates the default project if it is missing. */
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
          zone: null,
          analytics: true,
          confirmDevices: false,
          recovery: recoveryMethods,
          passkeyLogin: true,
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

/** Creates or replaces a project. An existing project keeps its creation time. */
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
    zone: project.zone,
    analytics: project.analytics ? 1 : 0,
    confirm_devices: project.confirmDevices ? 1 : 0,
    recovery: JSON.stringify(project.recovery),
    passkey_login: project.passkeyLogin ? 1 : 0,
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
    zone: row.zone,
    analytics: row.analytics === 1,
    confirmDevices: row.confirm_devices === 1,
    recovery: JSON.parse(row.recovery) as RecoveryMethod[],
    passkeyLogin: row.passkey_login === 1,
    active: row.active === 1,
    createdAt: row.created_at,
  }
}
