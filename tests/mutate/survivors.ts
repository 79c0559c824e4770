/**
 * A mutant that survives, and the reason. `code` and `to` are the code before and after the
 * mutation, in one line; they may end in `…`. Without `to`, the entry covers every mutation of the
 * code.
 */
export type Survivor = { file: string; code: string; to?: string; why: string; equivalent: boolean }

const sign = 'packages/sign/src'
const rpc = 'packages/server/src/rpc'
const requests = 'packages/server/src/relay/requests'
const budgets = 'packages/server/src/relay/budgets'

export const survivors: readonly Survivor[] = [
  {
    file: `${sign}/crypto/createPlatformCurves.ts`,
    code: "''",
    why: 'A JWK of these curves always has x (RFC 8037 §2).',
    equivalent: true,
  },
  {
    file: `${sign}/crypto/createPlatformCurves.ts`,
    code: 'false',
    to: 'true',
    why: 'WebCrypto lets every public key be exported.',
    equivalent: true,
  },
  {
    file: `${sign}/crypto/envelope.ts`,
    code: "'base64url'",
    why: 'toBase64 encodes any alphabet except base64 as base64url.',
    equivalent: true,
  },
  {
    file: `${sign}/crypto/openCurves.ts`,
    code: 'subtle',
    to: 'true',
    why: 'Without WebCrypto, the feature test fails, with the same result.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/recap.ts`,
    code: '{ // Not base64, or not JSON. return undefined }',
    why: 'A function without a return statement returns undefined.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/recap.ts`,
    code: "''",
    why: 'split() returns at least one part.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/toNamespaces.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'grantedChains() returns undefined only for issuers that the loop skips.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/verifyCacao.ts`,
    code: "''",
    why: 'findUnmetTerm() reports an issuer that is not an account.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/verifyCacao.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'findUnmetTerm() reports an issuer that is not an account.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/verifyCacao.ts`,
    code: 'signature.length === 132',
    to: 'true',
    why: 'No key can be recovered from a signature of another length; the check only avoids the attempt.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/verifyCacao.ts`,
    code: '{ // Not a secp256k1 signature…',
    why: 'A function without a return statement returns undefined.',
    equivalent: true,
  },
  {
    file: `${sign}/auth/verifyCacao.ts`,
    code: '{ // Reverted, or no node responded…',
    why: 'A function without a return statement returns undefined.',
    equivalent: true,
  },
  {
    file: `${rpc}/createUpstream.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'fetch gives every response of status 200 or 400 a body.',
    equivalent: true,
  },
  {
    file: `${rpc}/createUpstream.ts`,
    code: 'start < calls.length',
    to: 'start <= calls.length',
    why: 'The additional group is empty.',
    equivalent: true,
  },
  {
    file: `${rpc}/createUpstream.ts`,
    code: 'data === undefined',
    to: 'false',
    why: 'JSON omits a member that is undefined.',
    equivalent: true,
  },
  {
    file: `${rpc}/createUpstream.ts`,
    code: "typeof value === 'number'",
    to: 'true',
    why: 'Number.isInteger() is false for anything but a number.',
    equivalent: true,
  },
  {
    file: `${rpc}/createUpstream.ts`,
    code: 'context?.source',
    to: 'context.source',
    why: 'V8 always passes the context.',
    equivalent: true,
  },
  {
    file: `${rpc}/createBreaker.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'A failure without a time is never within the window.',
    equivalent: true,
  },
  {
    file: `${budgets}/createStorageBudgets.ts`,
    code: "'all'",
    why: 'Any name differs from the others, which start with a letter and are hashes.',
    equivalent: true,
  },
  {
    file: `${budgets}/createStorageBudgets.ts`,
    code: '() => (restored = undefined)',
    why: 'Awaiting a promise that is settled has the same effect.',
    equivalent: true,
  },
  {
    file: `${budgets}/createAddressLimits.ts`,
    code: 'count > 0',
    to: 'count >= 0',
    why: 'Keeps a zero for each address that ever connected; no test measures that memory.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'Math.floor(now() / minuteMs) + 1',
    to: 'Math.floor(now() / minuteMs) - 1',
    why: 'Every charge first releases the minutes that have passed.',
    equivalent: true,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'nextMinute > minute',
    to: 'false',
    why: 'The check saves a search of the accounts; the result is the same.',
    equivalent: true,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: '[]',
    to: '["Stryker was here"]',
    why: 'Changes an account that has another name than any real one.',
    equivalent: true,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'paidAt <= now()',
    to: 'paidAt < now()',
    why: 'An account that owes nothing is forgotten a minute later.',
    equivalent: true,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'slots.delete(nextMinute)',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'states.delete(key)',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'waiting <= 0 && paidAt <= now()',
    to: 'false',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'waiting <= 0',
    to: 'waiting < 0',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'after > 0',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${budgets}/createLocalLedger.ts`,
    code: 'slot.delete(key)',
    why: 'Only memory grows; no test measures it.',
    equivalent: false,
  },
  {
    file: `${requests}/dispatch.ts`,
    code: 'ms > 0',
    to: 'true',
    why: 'A wait of 0 ms only adds a turn of the event loop.',
    equivalent: true,
  },
  {
    file: `${requests}/dispatch.ts`,
    code: 'ms > 0',
    to: 'ms >= 0',
    why: 'A wait of 0 ms only adds a turn of the event loop.',
    equivalent: true,
  },
  {
    file: `${requests}/dispatch.ts`,
    code: '{ ref: false }',
    to: '{}',
    why: 'The process would exit up to 10 s later; no test ends one with delayed requests.',
    equivalent: false,
  },
  {
    file: `${requests}/dispatch.ts`,
    code: 'false',
    to: 'true',
    why: 'The process would exit up to 10 s later; no test ends one with delayed requests.',
    equivalent: false,
  },
  {
    file: `${requests}/dispatch.ts`,
    code: 'frame.size > limits.relayBufferBytes',
    to: 'frame.size >= limits.relayBufferBytes',
    why: 'Differs for one length of a response, of 4 MiB.',
    equivalent: false,
  },
]
