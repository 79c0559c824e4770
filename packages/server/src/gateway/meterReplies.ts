import { addressOf, type HttpContext, type LimitContext } from '../http/access.ts'
import type { Context } from '../context.ts'
import type { Meter } from '../rpc/createPost.ts'
import type { Project } from '../storage/projects.ts'

/** Size of large upstream responses that costs one token of the rate limits, in bytes. */
const bytesPerToken = 8 * 1024

/**
 * Accounts for the large upstream responses to a request: they use the memory of the request's address, are read in its
 * turns, and cost tokens once their size is known.
 *
 * @returns the meter, and a function to call once the responses are no longer in memory.
 * @see docs/threats.md#amplification
 */
export function meterReplies(
  context: LimitContext & Pick<Context, 'memory'>,
  c: HttpContext,
  project: Project,
): { meter: Meter; end: () => void } {
  const address = addressOf(context, c)
  const { memory, limits } = context
  let total = 0
  return {
    meter: {
      add(bytes) {
        if (!memory.reserve(address, bytes)) return false
        total += bytes
        return true
      },
      turn: (bytes) => c.env?.nextTurn?.(bytes),
    },
    end() {
      if (total === 0) return
      memory.add(address, -total)
      const cost = Math.floor(total / bytesPerToken)
      limits.address.owe(address, cost)
      limits.project.owe(project.id, cost)
    },
  }
}
