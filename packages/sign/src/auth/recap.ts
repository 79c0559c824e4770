import { fromBase64, toBase64 } from '@gatefold/protocol/relay'
import { unique } from '../namespaces.ts'
import type { AuthPayload } from '../Session.ts'

/**
 * For each resource, the abilities of a ReCap (such as `request/personal_sign`) with their limits.
 *
 * @see ERC-5573
 */
export type Recap = { att: Record<string, Record<string, readonly Record<string, unknown>[]>> }

const prefix = 'urn:recap:'

/** Formats a ReCap that requests a namespace's methods. @returns `urn:recap:…` */
export function createRecap(family: string, methods: readonly string[]): string {
  const abilities = methods.toSorted().map((method) => [`request/${method}`, [{}]] as const)
  return encodeRecap({ att: { [family]: Object.fromEntries(abilities) } })
}

/** The last resource, if it is a valid ReCap. */
export function findRecap(resources: readonly string[] | undefined): Recap | undefined {
  const last = resources?.at(-1)
  if (!last?.startsWith(prefix)) return undefined
  return decodeRecap(last)
}

/** @returns undefined if the text is not a ReCap */
export function decodeRecap(urn: string): Recap | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(fromBase64(urn.slice(prefix.length))))
    return isRecap(json) ? json : undefined
  } catch {
    // Not base64, or not JSON.
    return undefined
  }
}

export function encodeRecap(recap: Recap): string {
  const text = toBase64(new TextEncoder().encode(JSON.stringify(recap)))
  return `${prefix}${text.replaceAll('=', '')}`
}

/** Merges two ReCaps, with resources and abilities sorted. If both limit an ability, the first one's limits apply. */
export function mergeRecaps(first: Recap, second: Recap): Recap {
  const families = unique([...Object.keys(first.att), ...Object.keys(second.att)]).toSorted()
  return {
    att: Object.fromEntries(
      families.map((family) => {
        const abilities = { ...second.att[family], ...first.att[family] }
        return [family, Object.fromEntries(Object.entries(abilities).toSorted(byName))]
      }),
    ),
  }
}

/** The methods that a ReCap grants on EVM chains. */
export function methodsOf(recap: Recap): string[] {
  return Object.keys(recap.att['eip155'] ?? {}).flatMap((ability) => ability.split('/')[1] ?? [])
}

/**
 * The methods that the session of a sign-in permits on EVM chains: those of the ReCap in its resources. A wallet shows
 * them before it signs.
 *
 * @param payload - of a request, or of a CACAO
 * @returns an empty list if the sign-in creates no session
 * @see ERC-5573
 */
export function getAuthMethods({ resources }: Pick<AuthPayload, 'resources'>): string[] {
  const recap = findRecap(resources)
  return recap ? unique(methodsOf(recap)) : []
}

/** The chains to which a ReCap is limited, from the first limit of each ability. */
export function chainsOfRecap(recap: Recap): string[] {
  const limits = Object.values(recap.att).flatMap((abilities) =>
    Object.values(abilities).flatMap(([limit]) => limit?.['chains'] ?? []),
  )
  return unique(limits.filter((chain): chain is string => typeof chain === 'string'))
}

/**
 * The statement to sign, which ends with the sentence that describes the ReCap. An app's statement may contain such a
 * sentence, but for other abilities than the ReCap's.
 *
 * @see ERC-5573
 */
export function formatRecapStatement(statement: string | undefined, recap: Recap): string {
  const opening =
    'I further authorize the stated URI to perform the following actions on my behalf:'
  let count = 0
  const sentences = Object.entries(recap.att).map(([resource, abilities]) => {
    const actions = new Map<string, string[]>()
    for (const ability of Object.keys(abilities).toSorted((a, b) =>
      actionOf(a).localeCompare(actionOf(b)),
    )) {
      const [kind = ''] = ability.split('/')
      actions.set(kind, [...(actions.get(kind) ?? []), actionOf(ability)])
    }
    return Array.from(actions, ([kind, names]) => {
      count += 1
      return `(${count}) '${kind}': '${names.join("', '")}' for '${resource}'.`
    })
      .join(', ')
      .replace('.,', '.')
  })
  const sentence = `${opening} ${sentences.join(' ')}`
  if (statement?.endsWith(sentence)) return statement
  return `${statement ? `${statement} ` : ''}${sentence}`
}

function actionOf(ability: string) {
  return ability.split('/')[1] ?? ''
}

function byName([first]: [string, unknown], [second]: [string, unknown]) {
  return first.localeCompare(second)
}

function isRecap(json: unknown): json is Recap {
  if (!isObject(json) || !isObject(json['att'])) return false
  const resources = Object.values(json['att'])
  return (
    resources.length > 0 &&
    resources.every(
      (abilities) =>
        isObject(abilities) &&
        Object.keys(abilities).length > 0 &&
        Object.values(abilities).every(
          (limits) => Array.isArray(limits) && limits.length > 0 && limits.every(isObject),
        ),
    )
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
