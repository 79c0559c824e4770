import { stretch, type Stretching } from './stretch.ts'

self.addEventListener(
  'message',
  ({ data }: MessageEvent<Stretching>) => {
    void stretch(data).then((bytes) => self.postMessage(bytes, { transfer: [bytes.buffer] }))
  },
  { once: true },
)
