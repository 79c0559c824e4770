import { Icon } from '../parts/Icon.tsx'
import { PillButton } from '../parts/Pill.tsx'
import { useMoney } from '../wallet/money.ts'
import type { Step } from './firstSteps.ts'

/**
 * The first steps of a new account, drawn as knots on a thread. The first open
 * step is highlighted.
 */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const { open } = useMoney()
  const current = steps.find(({ isDone }) => !isDone)
  return (
    <section className="leaf" aria-labelledby="first-steps">
      <div className="leaf-list">
        <header>
          <h2 id="first-steps">First steps</h2>
        </header>
        <ol className="thread">
          {steps.map((step, index) => (
            <li
              key={step.key}
              data-state={step.isDone ? 'done' : step === current ? 'current' : 'open'}
              aria-current={step === current ? 'step' : undefined}
            >
              <span className="knot" aria-hidden="true">
                {step.isDone ? <Icon name="check" /> : index + 1}
              </span>
              <div>
                <b>
                  {step.title}
                  {step.isDone && <span className="sr-only">, done</span>}
                </b>
                {!step.isDone && <p>{step.hint}</p>}
                {step === current && (
                  <PillButton className="small" onClick={() => open(step.opens)}>
                    {step.action}
                  </PillButton>
                )}
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
