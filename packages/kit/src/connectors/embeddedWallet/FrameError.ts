import { BaseError } from '@gatefold/protocol'

/**
 * The secure frame refused a request, or did not respond. `code` is one of ours (`frame.*`) or the one that the server
 * sent, such as `code_wrong`.
 */
export class FrameError extends BaseError {
  override name = 'FrameError'
}

/** The frame was not ready in time. @see spec §8.10.2, §8.10.7 */
export function loadFailed(): FrameError {
  return new FrameError('Unable to load email login dependency', { code: 'frame.load_failed' })
}

/**
 * The page removed the frame.
 *
 * @param code - `frame.not_set` if the request was not sent; otherwise the frame may have carried it out
 * @see spec §8.10.6
 */
export function removed(code: 'frame.removed' | 'frame.not_set'): FrameError {
  return new FrameError('W3mFrame: iframe is not set', { code })
}

/**
 * The visitor closed the request, or a time limit or another document of the frame ended it; in the last two cases, the
 * frame may have carried it out. @see spec §8.10.4
 */
export function aborted(
  code: 'frame.aborted' | 'frame.timeout' | 'frame.reloaded' = 'frame.aborted',
): FrameError {
  return new FrameError('Something went wrong', { code })
}
