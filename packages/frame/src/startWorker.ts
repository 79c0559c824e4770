type Policy = { createScriptURL(url: string): string }
type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy
}

/**
 * Starts a module worker of the frame's own origin. The Content-Security-Policy
 * requires a `TrustedScriptURL`, so that no string can become a script.
 *
 * @see docs/contracts/frame-api.md#origin
 */
export function startWorker(url: string): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('gatefold-worker', {
    createScriptURL(candidate) {
      if (new URL(candidate, location.href).origin !== location.origin)
        throw new TypeError(`${candidate} is not a script of the frame.`)
      return candidate
    },
  })
  return new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module' })
}

let policy: Policy | undefined
