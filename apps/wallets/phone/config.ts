import * as v from 'valibot'
import { chainsSchema } from './server/config.ts'

const config = v.object({
  relayUrl: v.string(),
  verifyUrl: v.optional(v.string()),
  projectId: v.optional(v.string()),
  chains: chainsSchema,
})

/** What the server tells this page: where relay, verify service and chains are. */
export type PageConfig = v.InferOutput<typeof config>

/** Reads what the server wrote into the document. @throws ValiError when it wrote nothing usable */
export function readPageConfig(document: Document): PageConfig {
  return v.parse(config, JSON.parse(document.getElementById('config')?.textContent || '{}'))
}
