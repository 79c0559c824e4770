import { importJWK, jwtVerify, type JWK } from 'jose'
import { onTestFinished } from 'vitest'
import { defaultProjectId, findProject, saveProject, type Project } from '../storage/projects.ts'
import { createTestVerify, type TestVerify } from './createTestVerify.ts'

/** A time far from the real time, so that tests fail if the code uses the system clock. */
export const noon = Date.UTC(2030, 0, 1, 12)

export const local = 'http://localhost:3000'

export const harbor: Partial<Project> = {
  id: 'harbor',
  allowedOrigins: ['https://preview.harbor.test'],
  domains: ['harbor.example'],
}

/** Starts a verify service that stops when the test ends. */
export async function startVerify(...[config, options]: Parameters<typeof createTestVerify>) {
  const verify = await createTestVerify(config, { now: () => noon, ...options })
  onTestFinished(() => verify.stop())
  return verify
}

/** Saves a copy of the default project with changes. */
export async function addProject({ context }: TestVerify, changes: Partial<Project>) {
  const known = (await findProject(context.storage.db, defaultProjectId))!
  await saveProject(context.storage.db, { ...known, ...changes }, noon)
}

type Keys = { publicKey: JWK; expiresAt: number; keys: JWK[] }

export async function publicKeys({ send }: TestVerify) {
  return (await (await send('/v3/public-key')).json()) as Keys
}

/** Verifies an attestation with a public key, as a wallet does. @returns the claims. */
export async function readClaims(jwt: string, key: JWK, now = noon) {
  const { payload } = await jwtVerify(jwt, await importJWK(key, 'ES256'), {
    currentDate: new Date(now),
  })
  return payload
}

/** Loads the enclave's page. @returns its token. */
export async function csrfToken({ send }: TestVerify, projectId = 'default') {
  const page = await (await send(`/${projectId}`)).text()
  return /index\.js\?token=([\w.-]+)"/.exec(page)![1]!
}
