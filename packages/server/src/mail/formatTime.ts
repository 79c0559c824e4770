import type { FrameLanguage } from '@gatefold/protocol/frame'

/** A time in UTC, because the reader's time zone is not known. */
export function formatTime(at: number, language: FrameLanguage): string {
  const format = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return format.format(at)
}
