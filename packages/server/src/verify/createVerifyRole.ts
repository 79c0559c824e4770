import { publicAnswers } from '../http/answers.ts'
import { createPreflight } from '../http/cors.ts'
import { bindRoutes, type Role, type RouteTable } from '../http/Role.ts'
import { runEvery } from '../runEvery.ts'
import { deleteAttestationsBefore } from '../storage/verify.ts'
import { getAttestationPage, postAttestation } from './attestation.ts'
import { getAttestation, getEnclave, getEnclaveScript, postEnclaveAttestation } from './enclave.ts'
import { getPublicKey } from './publicKey.ts'
import { createVerifyService, type VerifyContext, type VerifyService } from './service.ts'

const deleteEveryMs = 5 * 60_000

const routes: RouteTable<VerifyService> = {
  '/v3/attestation': { GET: getAttestationPage, POST: postAttestation },
  '/v3/public-key': { GET: getPublicKey },
  '/attestation': { POST: postEnclaveAttestation },
  '/attestation/:hash': { GET: getAttestation },
  '/index.js': { GET: getEnclaveScript },
}

export const verifyPaths = Object.keys(routes)

/** Creates the verify service. Wallets use it to check which page sent a message. @see docs/verify.md */
export function createVerifyRole(context: VerifyContext): Role {
  const { log, now, storage } = context
  const service = createVerifyService(context)
  const enclave = getEnclave(service)
  let stop: (() => void) | undefined
  return {
    routes: bindRoutes(routes, service),
    answers: publicAnswers,
    // Pages of other sites may only read. Only the service's own pages may post.
    preflight: createPreflight({ headers: publicAnswers.headers, methods: 'GET, HEAD' }),
    // `GET /{projectId}`, for every id that is not the first segment of a role's path.
    fallback(c) {
      const id = /^\/([\w-]{1,64})\/?$/.exec(c.req.path)?.[1]
      return c.req.method === 'GET' && id !== undefined ? enclave(c, id) : undefined
    },
    onListening() {
      stop = runEvery(deleteEveryMs, () =>
        deleteAttestationsBefore(storage.db, now()).catch((error: unknown) =>
          log.warn({ err: error }, 'deleting expired attestations failed'),
        ),
      )
    },
    close: () => stop?.(),
  }
}
