import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, raw } from 'hono/html'
import { ownHeaders } from './answers.ts'

const scripts = join(import.meta.dirname, 'browser')

/** A page that may be framed, by those who are named and nobody else. */
function pageHeaders(script: string, ancestors: string) {
  return {
    ...ownHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // So that a cross-origin isolated page may frame it.
    'cross-origin-embedder-policy': 'require-corp',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${script}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      `frame-ancestors ${ancestors}`,
    ].join('; '),
  }
}

/** @returns a function that makes the page of an attestation; its script is let in by its hash. */
export function createAttestationPage() {
  const script = readFileSync(join(scripts, 'attestation.js'), 'utf8')
  const hash = createHash('sha256').update(script).digest('base64')
  // Whole: a space more inside it, and the browser would not run it.
  const element = raw(`<script>${script}</script>`)
  return async (options: { ticket: string; ancestors: string }) => {
    const page = await html`<!doctype html>
      <html lang="en">
        <meta charset="utf-8" />
        <meta name="ticket" content="${options.ticket}" />
        <title>Attestation</title>
        ${element}
      </html>`
    return new Response(page, {
      headers: pageHeaders(`'sha256-${hash}'`, options.ancestors),
    })
  }
}

/**
 * The page of the old enclave.
 *
 * @param options.path - that it was asked for by. Its script lies beside it, also behind a proxy's prefix.
 */
export async function enclavePage(options: { token: string; ancestors: string; path: string }) {
  const folder = options.path.endsWith('/') ? '../' : ''
  const page = await html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Attestation</title>
      <script src="${folder}index.js?token=${options.token}"></script>
    </html>`
  return new Response(page, { headers: pageHeaders("'self'", options.ancestors) })
}

/** Its script; the token in its address is read in the page. */
export function createEnclaveScript() {
  const script = readFileSync(join(scripts, 'enclave.js'), 'utf8')
  const headers = {
    ...ownHeaders,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
  }
  return () => new Response(script, { headers })
}
