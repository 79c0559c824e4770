import { defaultOrigins } from '@gatefold/protocol/gateway'
import { toSources } from '../http/toSources.ts'
import type { Project } from '../storage/projects.ts'

/** The only permissions of the frame's document. Passkeys wrap recovery keys. */
const powers = {
  'publickey-credentials-create': '(self)',
  'publickey-credentials-get': '(self)',
  'clipboard-write': '(self)',
  accelerometer: '()',
  'browsing-topics': '()',
  camera: '()',
  'clipboard-read': '()',
  'display-capture': '()',
  geolocation: '()',
  gyroscope: '()',
  'identity-credentials-get': '()',
  'local-fonts': '()',
  magnetometer: '()',
  microphone: '()',
  midi: '()',
  payment: '()',
  'screen-wake-lock': '()',
  serial: '()',
  usb: '()',
  'window-management': '()',
  'xr-spatial-tracking': '()',
}

/**
 * Headers of the frame's document for a project. Only pages on the project's origins may frame it; without a project, no
 * page. There is no `X-Frame-Options`, because it cannot list origins.
 *
 * @param project - `undefined` for an unknown or inactive project.
 * @see docs/threats.md#embedding-pages
 */
export function frameHeaders(project: Project | undefined): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "worker-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types gatefold-worker',
      `frame-ancestors ${toAncestors(project)}`,
    ].join('; '),
    'permissions-policy': Object.entries(powers)
      .map(([name, allowed]) => `${name}=${allowed}`)
      .join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // With these two, cross-origin isolated pages can frame the document.
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
  }
}

/**
 * Headers of the approval window. It keeps its opener, because the frame that
 * opened it sends it the request.
 */
export function windowHeaders(): Record<string, string> {
  return { ...pageHeaders(), 'cross-origin-opener-policy': 'unsafe-none' }
}

/**
 * Headers of the pages on the frame's origin: those of the document, but no
 * page may embed them.
 */
export function pageHeaders(): Record<string, string> {
  return {
    ...frameHeaders(undefined),
    // The page that opened the window cannot control it.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** Origins whose pages may embed the frame. */
export function embeddingOrigins(project: Project): string[] {
  return [...project.allowedOrigins, ...(project.defaultOrigins ? defaultOrigins : [])]
}

function toAncestors(project: Project | undefined): string {
  if (!project?.active) return "'none'"
  return toSources(embeddingOrigins(project)) || "'none'"
}
