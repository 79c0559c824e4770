import { domainToASCII } from 'node:url'
import { limits } from '@gatefold/protocol'

const shape = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/

/**
 * A domain as it is stored and compared: lower case, punycode (UTS 46), no dot at the end.
 *
 * @param text - a domain or a URL, whose host is taken; `Börse.example` or `https://börse.example/x`.
 * @returns `undefined` for what is no domain: one label alone, an address, a wildcard.
 */
export function toDomain(text: string): string | undefined {
  const trimmed = text.trim()
  const host = trimmed.includes('://') ? URL.parse(trimmed)?.hostname : trimmed
  const domain = domainToASCII(host ?? '').replace(/\.$/, '')
  return shape.test(domain) ? domain : undefined
}

/**
 * The domains a host belongs to, itself first: `a.b.example` gives `a.b.example` and `b.example`.
 * A host with more labels than anybody needs is cut from the left.
 */
export function domainsOf(host: string): string[] {
  const labels = (toDomain(host)?.split('.') ?? []).slice(-limits.verifyMaxLabels)
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}
