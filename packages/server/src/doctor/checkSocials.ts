import type { Config } from '../config.ts'
import { networkFix, reasonOf, type ClockSample, type Finding } from './Finding.ts'

const timeoutMs = 10_000

/** Requests the metadata of the OpenID providers, and a response from the other social logins. Sends no secret. */
export async function checkSocials({
  socials,
}: Config): Promise<{ findings: Finding[]; clocks: ClockSample[] }> {
  const { google, apple, farcaster, ...others } = socials
  const checks = [
    ...Object.entries({ google, apple }).flatMap(([name, settings]) =>
      settings ? checkMetadata(name, settings.issuer) : [],
    ),
    ...Object.entries(others).map(async ([name, { tokenUrl }]) => checkResponse(name, tokenUrl)),
    ...(farcaster ? [checkResponse('farcaster', farcaster.relayUrl)] : []),
  ]
  if (checks.length > 0) return { findings: await Promise.all(checks), clocks: [] }
  const message = 'No social login is configured.'
  return { findings: [{ check: 'socials', status: 'skipped', message }], clocks: [] }
}

/** @see OpenID Connect Discovery 1.0, section 4 */
async function checkMetadata(name: string, issuer: string): Promise<Finding> {
  const host = new URL(issuer).host
  try {
    const response = await request(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    const metadata = (await response.json()) as { issuer?: unknown }
    if (response.ok && metadata.issuer === issuer)
      return { check: 'socials', status: 'ok', message: `${name}: ${host} is the issuer.` }
    return failed(name, `${host} has no metadata of this issuer`)
  } catch (error) {
    return failed(name, `${host} did not respond: ${reasonOf(error)}`, reasonOf(error))
  }
}

async function checkResponse(name: string, url: string): Promise<Finding> {
  const { host } = new URL(url)
  try {
    await (await request(url)).body?.cancel()
    return { check: 'socials', status: 'ok', message: `${name}: ${host} responds.` }
  } catch (error) {
    return failed(name, `${host} did not respond: ${reasonOf(error)}`, reasonOf(error))
  }
}

async function request(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
}

function failed(name: string, what: string, reason = ''): Finding {
  return {
    check: 'socials',
    status: 'error',
    message: `${name}: ${what}.`,
    fix:
      networkFix(reason, 'GATEFOLD_SOCIALS') ?? `Correct the URLs of ${name} in GATEFOLD_SOCIALS.`,
  }
}
