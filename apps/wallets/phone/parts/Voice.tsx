import { useEffect } from 'react'
import { useVoice } from '../PhoneProvider.tsx'
import { Icon } from './Icon.tsx'

/** How long good news stands there, in ms. Bad news stays until it is closed. */
const goodNewsMs = 5_000

/** Says what just happened. */
export function Voice() {
  const { said, say } = useVoice()
  useEffect(() => {
    if (!said || said.bad) return
    const timer = setTimeout(() => say(undefined), goodNewsMs)
    return () => clearTimeout(timer)
  }, [said, say])
  return (
    <div className="voice" role={said?.bad ? 'alert' : 'status'}>
      {said && (
        <div className="said" data-bad={said.bad || undefined}>
          <Icon name={said.bad ? 'warn' : 'check'} />
          <p>{said.text}</p>
          <button type="button" className="round" aria-label="Close" onClick={() => say(undefined)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
