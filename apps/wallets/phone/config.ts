import * as v from 'valibot'
import { chainsSchema } from './server/config.ts'

const config = v.object({
  relayUrl: v.string(),
  verifyUrl: v.optional(v.string()),
  projectId: v.optional(v.string()),
  chains: chainsSchema,
})

/** The page's configuration: relay, verify service and chains. */
export type PageConfig = v.InferOutput<typeof config>

/** Reads the configuration that the server embeds in the document. @throws ValiError if invalid */
export function readPageConfig(document: Document): PageConfig {
  return v.parse(config, JSON.parse(document.getElementById('config')?.textContent || '{}'))
}
