import { toLabel } from '@gatefold/protocol'
import * as v from 'valibot'
import { parseJson } from '../../http/parseJson.ts'
import { NftError } from './NftError.ts'

/** The metadata of an NFT. Texts have no control characters, but may contain markup: they are text, not HTML. */
export type Metadata = {
  name: string | undefined
  description: string | undefined
  /** A URI of any scheme. */
  image: string | undefined
  attributes: { name: string; value: string }[]
}

/** Maximum number of attributes of an NFT. */
const maxAttributes = 50
/** Maximum length of the name of an NFT, and of the names and values of its attributes. */
const maxTextLength = 100
/** Maximum length of the description of an NFT. */
const maxDescriptionLength = 1_000

/**
 * A text or number; control characters are removed, and long texts are cut off.
 */
const text = (maxLength: number) =>
  v.fallback(
    v.optional(
      v.pipe(
        v.union([v.string(), v.number(), v.boolean()]),
        v.transform((value) => toLabel(String(value).slice(0, 4 * maxLength), maxLength)),
      ),
    ),
    undefined,
  )

const uri = v.fallback(v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())), undefined)

/** @see ERC-721, ERC-1155 and https://docs.opensea.io/docs/metadata-standards */
const Fields = v.object({
  name: text(maxTextLength),
  description: text(maxDescriptionLength),
  image: uri,
  image_url: uri,
  /** The text of an SVG image. */
  image_data: uri,
  attributes: v.fallback(v.array(v.unknown()), []),
})

const Attribute = v.object({ trait_type: text(maxTextLength), value: text(maxTextLength) })

/** @throws {NftError} if the bytes are not a JSON object. */
export function parseMetadata(bytes: Uint8Array): Metadata {
  let value: unknown
  try {
    value = parseJson(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new NftError('The metadata is not JSON, or has too many values.', error)
  }
  const fields = v.safeParse(Fields, value)
  if (!fields.success || Array.isArray(value))
    throw new NftError('The metadata is not a JSON object.')
  const { name, description, image, image_url, image_data, attributes } = fields.output
  return {
    name: name || undefined,
    description: description || undefined,
    image: image ?? image_url ?? (image_data && toDataUri(image_data)),
    attributes: attributes.slice(0, maxAttributes).flatMap((item) => {
      const attribute = v.safeParse(Attribute, item)
      const { trait_type = '', value: shown = '' } = attribute.success ? attribute.output : {}
      return shown ? [{ name: trait_type, value: shown }] : []
    }),
  }
}

function toDataUri(svg: string): string | undefined {
  if (/^data:/i.test(svg)) return svg
  return svg.startsWith('<')
    ? `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`
    : undefined
}
