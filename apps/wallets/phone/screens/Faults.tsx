import type { Faults as WalletFaults, Trigger } from '../../src/provider/Faults.ts'
import { noFaults } from '../../src/provider/Faults.ts'
import { foreignAddress } from '../../src/window/createFaultsPanel.ts'
import { ScreenHeader } from '../parts/ScreenHeader.tsx'
import { HungRequests } from '../parts/HungRequests.tsx'
import { SelectRow } from '../parts/SelectRow.tsx'
import { CheckboxRow } from '../parts/CheckboxRow.tsx'
import { TextRow } from '../parts/TextRow.tsx'
import { usePhone } from '../usePhone.ts'
import { goHome } from '../useRoute.ts'

const triggers = [
  ['off', 'Never'],
  ['next', 'Next request'],
  ['all', 'Every request'],
] as const

/** An input for every fault. Changes take effect immediately. */
export function Faults() {
  const phone = usePhone()
  const { controls } = phone.wallet
  const { faults } = controls
  const trigger = (name: 'reject' | 'hang' | 'fail', label: string) => (
    <SelectRow
      label={label}
      value={String(faults[name])}
      options={triggers}
      isModified={faults[name] !== 'off'}
      onChange={(value) => controls.set({ [name]: toTrigger(value) })}
    />
  )
  return (
    <main>
      <ScreenHeader title="Faults" onBack={goHome} />
      <p className="lead">Simulate wallet failures and see how the app handles them.</p>
      <HungRequests />
      <section className="stack" aria-labelledby="responses">
        <h2 id="responses" className="caption">
          Responses
        </h2>
        <div className="group">
          {trigger('reject', 'Reject')}
          {trigger('hang', 'Don’t respond')}
          {trigger('fail', 'Fail')}
          <TextRow
            label="Response delay (ms)"
            value={String(faults.delayMs)}
            numeric
            isModified={faults.delayMs !== noFaults.delayMs}
            onCommit={(text) => controls.set({ delayMs: Math.max(0, Number(text) || 0) })}
          />
          <CheckboxRow
            label="Respond twice"
            checked={phone.faults.answerTwice}
            onChange={(answerTwice) => phone.set({ answerTwice })}
          />
          <TextRow
            label="Unsupported methods"
            value={faults.unsupported.join(', ')}
            placeholder="wallet_sendCalls, …"
            isModified={faults.unsupported.length > 0}
            onCommit={(text) =>
              controls.set({ unsupported: text.split(/[\s,…]+/).filter((method) => method) })
            }
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="false-information">
        <h2 id="false-information" className="caption">
          False information
        </h2>
        <div className="group">
          <SelectRow
            label="Network switch"
            value={String(faults.wrongChain)}
            options={[
              ['off', 'Normal'],
              ['stay', 'Reports success, stays'],
              ['1', 'Switches to chain 1'],
            ]}
            isModified={faults.wrongChain !== 'off'}
            onChange={(value) =>
              controls.set({
                wrongChain: value === 'off' || value === 'stay' ? value : Number(value),
              })
            }
          />
          <SelectRow
            label="Visible account"
            value={faults.lieAboutAccount}
            options={[
              ['off', 'Real account'],
              [foreignAddress, 'Foreign account'],
              ['none', 'None'],
            ]}
            isModified={faults.lieAboutAccount !== 'off'}
            onChange={(value) =>
              controls.set({ lieAboutAccount: value as WalletFaults['lieAboutAccount'] })
            }
          />
          <SelectRow
            label="Session networks"
            value={String(phone.faults.settleChains)}
            options={[
              ['requested', 'As requested'],
              ['1', 'Chain 1 only'],
            ]}
            isModified={phone.faults.settleChains !== 'requested'}
            onChange={(value) =>
              phone.set({
                settleChains: value === 'requested' ? value : value.split(',').map(Number),
              })
            }
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="connection">
        <h2 id="connection" className="caption">
          Connection
        </h2>
        <div className="group">
          <CheckboxRow
            label="Emit no events"
            checked={faults.mute}
            onChange={(mute) => controls.set({ mute })}
          />
          <CheckboxRow
            label="Batches at once"
            checked={faults.atomicBatches}
            onChange={(atomicBatches) => controls.set({ atomicBatches })}
          />
          <CheckboxRow
            label="Go offline"
            checked={!controls.connected}
            onChange={(offline) => (offline ? controls.disconnect() : controls.connect())}
          />
          <CheckboxRow
            label="Lock wallet"
            checked={controls.locked}
            onChange={(locked) => (locked ? controls.lock() : controls.unlock())}
          />
        </div>
        <button type="button" className="button" onClick={() => phone.reset()}>
          Clear all
        </button>
      </section>
    </main>
  )
}

function toTrigger(value: string): Trigger {
  return value === 'off' || value === 'next' || value === 'all' ? value : value.split(',')
}
