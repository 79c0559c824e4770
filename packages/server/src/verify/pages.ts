import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, raw } from 'hono/html'
import { ownHeaders } from './answers.ts'

const scripts = join(import.meta.dirname, 'browser')

/** Headers of a page that may be framed only by `ancestors`. */
function pageHeaders(script: string, ancestors: string) {
  return {
    ...ownHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // With this header, cross-origin isolated pages can frame the page.
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

/** @returns a function that creates the attestation page. The page's CSP allows its script by hash. */
export function createAttestationPage() {
  const script = readFileSync(join(scripts, 'attestation.js'), 'utf8')
  const hash = createHash('sha256').update(script).digest('base64')
  // The text in the element must equal the hashed text exactly.
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
 * Creates the enclave's page.
 *
 * @param options.path - path of the request. The script's URL is relative to it, so a proxy may add a
 * prefix.
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

/** @returns a function that creates the response with the enclave's script. The script reads its token from its URL. */
export function createEnclaveScript() {
  const script = readFileSync(join(scripts, 'enclave.js'), 'utf8')
  const headers = {
    ...ownHeaders,
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
  }
  return () => new Response(script, { headers })
}
