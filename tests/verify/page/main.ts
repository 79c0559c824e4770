import { createMemoryStore } from '../../../packages/sign/src/storage/createMemoryStore.ts'
import { systemClock } from '../../../packages/sign/src/systemClock.ts'
import { createVerify } from '../../../packages/sign/src/verify/createVerify.ts'

/** The verify service's client in a real page. Tests call it through `window`. */
const verifyApi = {
  open: (verifyUrl: string, projectId?: string) =>
    createVerify({ verifyUrl, projectId, storage: createMemoryStore(), clock: systemClock }),
  /** Frames a page. @returns the first string that the page posts; `undefined` after `limitMs` */
  frame(url: string, limitMs: number) {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
    return new Promise<{ data: string; origin: string } | undefined>((resolve) => {
      setTimeout(resolve, limitMs)
      window.addEventListener('message', ({ data, origin, source }) => {
        if (source === frame.contentWindow && typeof data === 'string') resolve({ data, origin })
      })
    })
  },
}

declare global {
  interface Window {
    verifyApi: typeof verifyApi
  }
}

window.verifyApi = verifyApi
