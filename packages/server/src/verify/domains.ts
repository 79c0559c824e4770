import { domainToASCII } from 'node:url'
import { limits } from '@gatefold/protocol'

const shape = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

/**
 * The normal form of a domain: lower case, punycode (UTS 46), no trailing dot.
 *
 * @param text - a domain or a URL with one: `Börse.example` or `https://börse.example/x`.
 * @returns `undefined` for anything else, such as a single label, an IP address or a wildcard.
 */
export function toDomain(text: string): string | undefined {
  const trimmed = text.trim()
  const host = trimmed.includes('://') ? URL.parse(trimmed)?.hostname : trimmed
  const domain = domainToASCII(host ?? '').replace(/\.$/, '')
  return shape.test(domain) ? domain : undefined
}

/**
 * The domains to which the host of a URL belongs, starting with the host itself: for `a.b.example`, they are
 * `a.b.example` and `b.example`. Only the last labels of a long host are used. The host need not be a domain itself:
 * browsers also load pages from hosts such as `-a.b.example`.
 */
export function domainsOf(host: string): string[] {
  const labels = host.replace(/\.$/, '').split('.').slice(-limits.verifyMaxLabels)
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
