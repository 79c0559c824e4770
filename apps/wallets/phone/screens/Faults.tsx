import type { Faults as WalletFaults, Trigger } from '../../src/provider/Faults.ts'
import { noFaults } from '../../src/provider/Faults.ts'
import { strangerAddress } from '../../src/window/createDrawer.ts'
import { Bar } from '../parts/Bar.tsx'
import { HeldBack } from '../parts/HeldBack.tsx'
import { Pick } from '../parts/Pick.tsx'
import { Tick } from '../parts/Tick.tsx'
import { WrittenField } from '../parts/WrittenField.tsx'
import { usePhone } from '../usePhone.ts'
import { goHome } from '../useRoute.ts'

const triggers = [
  ['off', 'Never'],
  ['next', 'Next request'],
  ['all', 'Every request'],
] as const

/** A switch for everything that can be wrong with a wallet. Each works at once. */
export function Faults() {
  const phone = usePhone()
  const { controls } = phone.wallet
  const { faults } = controls
  const trigger = (name: 'reject' | 'hang' | 'fail', label: string) => (
    <Pick
      label={label}
      value={String(faults[name])}
      options={triggers}
      on={faults[name] !== 'off'}
      onPick={(value) => controls.set({ [name]: toTrigger(value) })}
    />
  )
  return (
    <main>
      <Bar title="Faults" onBack={goHome} />
      <p className="lead">Break the wallet on purpose, and see what the app makes of it.</p>
      <HeldBack />
      <section className="stack" aria-labelledby="answers">
        <h2 id="answers" className="caption">
          Answers
        </h2>
        <div className="leaf">
          {trigger('reject', 'Reject')}
          {trigger('hang', 'Never answer')}
          {trigger('fail', 'Break')}
          <WrittenField
            label="Answer late, ms"
            value={String(faults.delayMs)}
            numeric
            on={faults.delayMs !== noFaults.delayMs}
            onWritten={(text) => controls.set({ delayMs: Math.max(0, Number(text) || 0) })}
          />
          <Tick
            label="Answer twice"
            checked={phone.faults.answerTwice}
            onTick={(answerTwice) => phone.set({ answerTwice })}
          />
          <WrittenField
            label="Methods unknown"
            value={faults.unsupported.join(', ')}
            placeholder="wallet_sendCalls, …"
            on={faults.unsupported.length > 0}
            onWritten={(text) =>
              controls.set({ unsupported: text.split(/[\s,…]+/).filter((method) => method) })
            }
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="lies">
        <h2 id="lies" className="caption">
          Lies
        </h2>
        <div className="leaf">
          <Pick
            label="Network switch"
            value={String(faults.wrongChain)}
            options={[
              ['off', 'Honest'],
              ['stay', 'Claims it, stays'],
              ['1', 'Lands on chain 1'],
            ]}
            on={faults.wrongChain !== 'off'}
            onPick={(value) =>
              controls.set({
                wrongChain: value === 'off' || value === 'stay' ? value : Number(value),
              })
            }
          />
          <Pick
            label="Account shown"
            value={faults.lieAboutAccount}
            options={[
              ['off', 'Its own'],
              [strangerAddress, 'A stranger’s'],
              ['none', 'None'],
            ]}
            on={faults.lieAboutAccount !== 'off'}
            onPick={(value) =>
              controls.set({ lieAboutAccount: value as WalletFaults['lieAboutAccount'] })
            }
          />
          <Pick
            label="Connects for"
            value={String(phone.faults.settleChains)}
            options={[
              ['asked', 'What is asked'],
              ['1', 'Chain 1 alone'],
            ]}
            on={phone.faults.settleChains !== 'asked'}
            onPick={(value) =>
              phone.set({ settleChains: value === 'asked' ? value : value.split(',').map(Number) })
            }
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="silence">
        <h2 id="silence" className="caption">
          Silence
        </h2>
        <div className="leaf">
          <Tick
            label="Forget to tell apps of changes"
            checked={faults.mute}
            onTick={(mute) => controls.set({ mute })}
          />
          <Tick
            label="Lose the network"
            checked={!controls.connected}
            onTick={(lost) => (lost ? controls.disconnect() : controls.connect())}
          />
          <Tick
            label="Lock the wallet"
            checked={controls.locked}
            onTick={(locked) => (locked ? controls.lock() : controls.unlock())}
          />
        </div>
        <button type="button" className="button" onClick={() => phone.reset()}>
          Turn all off
        </button>
      </section>
    </main>
  )
}

function toTrigger(value: string): Trigger {
  return value === 'off' || value === 'next' || value === 'all' ? value : value.split(',')
}
