import type { Part } from '../gateway/app.ts'
import type { Context } from '../context.ts'
import { deleteAttestationsBefore } from '../storage/verify.ts'
import { getAttestationPage, postAttestation } from './attestation.ts'
import { getAttestation, getEnclave, getEnclaveScript, postEnclaveAttestation } from './enclave.ts'
import { getPublicKey } from './publicKey.ts'
import { createVerifyService } from './service.ts'

const forgetEveryMs = 5 * 60_000

/**
 * The verify service: attests to wallets which page sends them a message.
 *
 * @returns its routes, and what ends it.
 * @see contract of the relay, 6; docs/verify.md
 */
export function createVerify(context: Context): Part & { close(): void } {
  const service = createVerifyService(context)
  const enclave = getEnclave(service)
  const forget = () =>
    void deleteAttestationsBefore(context.storage.db, context.now()).catch((error: unknown) =>
      context.log.warn({ err: error }, 'old attestations could not be deleted'),
    )
  const timer = setInterval(forget, forgetEveryMs)
  return {
    routes: {
      '/v3/attestation': { GET: getAttestationPage(service), POST: postAttestation(service) },
      '/v3/public-key': { GET: getPublicKey(service) },
      '/attestation': { POST: postEnclaveAttestation(service) },
      '/attestation/:hash': { GET: getAttestation(service) },
      '/index.js': { GET: getEnclaveScript(service) },
    },
    // `GET /{projectId}` lives beside every other route, so it is asked for last.
    otherwise(c) {
      const id = /^\/([\w-]{1,64})\/?$/.exec(c.req.path)?.[1]
      return c.req.method === 'GET' && id !== undefined ? enclave(c, id) : undefined
    },
    close: () => clearInterval(timer),
  }
}
