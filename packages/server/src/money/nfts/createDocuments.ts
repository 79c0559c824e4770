import type { SafeFetch } from '../../http/createSafeFetch.ts'
import { parseDataUri, type DataDocument } from './dataUri.ts'
import { NftError } from './NftError.ts'

export type Documents = {
  /**
   * Loads the document at a URI from a contract or its metadata.
   *
   * @throws {NftError} if the server cannot load such URIs; {@link SafeFetchError}; {@link NoSlotError}
   */
  load(uri: string, options: { types: readonly string[]; maxBytes: number }): Promise<DataDocument>
}

const cid = '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,100})'
const ipfs = new RegExp(`^(?:ipfs://(?:ipfs/)?)?(${cid}(?:[/?].*)?)$`, 's')
const arweave = /^ar:\/\/([\w-]{43}(?:[/?].*)?)$/s

/** Creates a loader of `data:`, `http:`, `https:`, `ipfs:` and `ar:` URIs. The gateways' URLs end with a slash. */
export function createDocuments(options: {
  safeFetch: SafeFetch
  ipfsGateway: string | undefined
  arweaveGateway: string | undefined
}): Documents {
  const { safeFetch } = options
  return {
    async load(uri, { types, maxBytes }) {
      if (/^data:/i.test(uri)) {
        const document = parseDataUri(uri, maxBytes)
        if (!document) throw new NftError('The data URI is malformed or too large.')
        return document
      }
      const [, ipfsPath] = ipfs.exec(uri) ?? []
      if (ipfsPath !== undefined)
        return fromGateway(ipfsPath, options.ipfsGateway, 'IPFS', 'GATEFOLD_IPFS_GATEWAY')
      const [, arweavePath] = arweave.exec(uri) ?? []
      if (arweavePath !== undefined)
        return fromGateway(
          arweavePath,
          options.arweaveGateway,
          'Arweave',
          'GATEFOLD_ARWEAVE_GATEWAY',
        )
      return safeFetch(uri, { types, maxBytes })

      async function fromGateway(
        path: string,
        gateway: string | undefined,
        name: string,
        setting: string,
      ) {
        if (gateway === undefined)
          throw new NftError(`The server has no ${name} gateway; its operator can set ${setting}.`)
        const url = URL.parse(path, gateway)
        // The URL parser resolves `..`, even in its escaped forms.
        if (!url?.href.startsWith(gateway)) throw new NftError(`The ${name} path is malformed.`)
        return safeFetch(url.href, { types, maxBytes, isConfigured: true })
      }
    },
  }
}
