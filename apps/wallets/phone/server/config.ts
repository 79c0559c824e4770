import * as v from 'valibot'

const httpUrl = v.pipe(
  v.string(),
  v.check((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'expected an http(s) address'),
)

/** The wallet's chains; the first is selected. */
export const chainsSchema = v.pipe(
  v.array(
    v.object({
      id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      name: v.pipe(v.string(), v.nonEmpty()),
      rpcUrl: httpUrl,
    }),
  ),
  v.minLength(1, 'expected at least one chain'),
)

const wsUrl = v.pipe(
  v.string(),
  v.check((text) => /^wss?:\/\//.test(text) && URL.canParse(text), 'expected a ws(s) address'),
)

const localChains = [
  { id: 31337, name: 'Gatefold Local', rpcUrl: 'http://localhost:8545' },
  { id: 31338, name: 'Gatefold Second', rpcUrl: 'http://localhost:8546' },
]

const environment = v.object({
  PHONE_RELAY_URL: v.optional(wsUrl, 'ws://localhost:3001'),
  PHONE_VERIFY_URL: v.optional(v.union([v.literal(''), httpUrl]), 'http://localhost:3001/v3'),
  PHONE_PROJECT_ID: v.optional(v.pipe(v.string(), v.nonEmpty()), 'default'),
  PHONE_CHAINS: v.optional(
    v.pipe(v.string(), v.parseJson(undefined, 'expected JSON: a list of chains'), chainsSchema),
    JSON.stringify(localChains),
  ),
})

/** The page's configuration. Contains no secrets. */
export type PhoneConfig = {
  relayUrl: string
  /** Base URL of the verify service; without it, apps are shown as unverified. */
  verifyUrl: string | undefined
  projectId: string
  chains: v.InferOutput<typeof chainsSchema>
}

/**
 * Reads the phone wallet's configuration from the environment.
 *
 * @throws {PhoneConfigError} Lists all invalid variables with the expected values.
 */
export function readPhoneConfig(env: Record<string, string | undefined>): PhoneConfig {
  const parsed = v.safeParse(environment, env)
  if (!parsed.success) throw new PhoneConfigError(parsed.issues)
  const { PHONE_RELAY_URL, PHONE_VERIFY_URL, PHONE_PROJECT_ID, PHONE_CHAINS } = parsed.output
  return {
    relayUrl: PHONE_RELAY_URL,
    verifyUrl: PHONE_VERIFY_URL || undefined,
    projectId: PHONE_PROJECT_ID,
    chains: PHONE_CHAINS,
  }
}

/** The environment has invalid values. */
export class PhoneConfigError extends Error {
  override name = 'PhoneConfigError'
  constructor(issues: readonly v.BaseIssue<unknown>[]) {
    const problems = issues.map(
      (issue) => `  ${v.getDotPath(issue) ?? 'environment'}: ${issue.message}`,
    )
    super(`The phone wallet cannot start:\n${problems.join('\n')}`)
  }
}
