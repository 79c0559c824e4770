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

/** The page removed the frame. @see spec §8.10.6 */
export function removed(): FrameError {
  return new FrameError('W3mFrame: iframe is not set', { code: 'frame.removed' })
}

/** The visitor closed the request, or a time limit ended it. @see spec §8.10.4 */
export function aborted(code: 'frame.aborted' | 'frame.timeout' = 'frame.aborted'): FrameError {
  return new FrameError('Something went wrong', { code })
}
