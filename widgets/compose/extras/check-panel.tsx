import { useState, type MouseEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { CheckPart, Finding } from '../../../contract/checks/deliverability.ts'
import { Button } from '../../kit/form/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { circleAlert, circleCheck, circleX, clock, info } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './check-panel.css'
import { checkRequest, runCheck, runSelfTest, showPlace, type CheckState } from './check-store.ts'

const sheet = createSheet(css)

const partNames = {
  message: 'Message',
  links: 'Links',
  dns: 'Domain of the sender',
  spam: 'Spam filter',
  self_test: 'Self-test',
} as const
const partsInOrder = ['message', 'links', 'dns', 'spam', 'self_test'] as const
const looks = {
  error: { icon: circleX, word: 'Error' },
  warning: { icon: circleAlert, word: 'Warning' },
  info: { icon: info, word: 'Note' },
} as const

/** The check before sending: what it found, part by part, with what to do about it. */
export function CheckPanel({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useText()
  const shown = useSnapshot(store.state)
  const [state, setState] = useState<CheckState>({ status: 'idle', check: null, of: '', problem: null })
  const { status, check, of, problem } = state
  const isOutdated = check !== null && status === 'idle' && of !== JSON.stringify(checkRequest(shown))
  const count = check?.parts.reduce((sum, { findings }) => sum + findings.length, 0) ?? 0
  // Not every operator has a spam filter.
  const isShown = (name: string) => name !== 'spam' || check?.parts.some(({ part }) => part === name) === true
  return (
    <section className="check" aria-label={t('Check before sending')}>
      <div className="check-head">
        <p role="status">
          {status === 'running'
            ? t('Checking…')
            : check === null
              ? t('Finds what spam filters and readers trip over.')
              : isOutdated
                ? t('The message has changed since this check.')
                : t('Check: {score} of 100. {count} finding|Check: {score} of 100. {count} findings', {
                    count,
                    score: check.score,
                  })}
        </p>
        <Button
          size="small"
          busy={status === 'running'}
          disabled={status === 'testing' || shown.senderId === '' || shown.draft.messageBody.trim() === ''}
          data-needs="mail:send"
          onClick={() => void runCheck(store, setState)}
        >
          {t(check === null ? 'Check' : 'Check again')}
        </Button>
      </div>
      {problem !== null && (
        <p className="check-note" role="alert">
          {t(problem)}
        </p>
      )}
      {(check !== null || status === 'running') && (
        <ul className={isOutdated ? 'check-parts outdated' : 'check-parts'}>
          {partsInOrder.filter(isShown).map((name) => (
            <Part
              key={name}
              name={t(partNames[name])}
              part={status === 'running' ? undefined : check?.parts.find(({ part }) => part === name)}
            />
          ))}
        </ul>
      )}
      {check?.parts.some(({ part, state }) => part === 'self_test' && state === 'not_possible') && (
        <div>
          <Button
            size="small"
            busy={status === 'testing'}
            disabled={status === 'running'}
            data-needs="mail:send"
            onClick={() => void runSelfTest(store, setState)}
          >
            {t('Run the self-test')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** One part; undefined while it runs. */
function Part({ name, part }: { name: string; part: CheckPart | undefined }) {
  const t = useText()
  const worst = part?.findings.some(({ severity }) => severity === 'error')
    ? 'error'
    : part?.findings.some(({ severity }) => severity === 'warning')
      ? 'warning'
      : 'good'
  const isDone = part?.state === 'done'
  const icon = !part ? clock : !isDone ? info : worst === 'good' ? circleCheck : looks[worst].icon
  return (
    <li>
      <div className={isDone ? `check-part ${worst}` : 'check-part'}>
        <Icon of={icon} size={15} />
        <b>{name}</b>
        <span>{t(!part ? 'Running' : isDone ? 'Done' : 'Not possible')}</span>
      </div>
      {part?.reason && <p className="check-note">{t(part.reason)}</p>}
      {part?.findings[0] && (
        <ul className="check-findings">
          {part.findings.map((finding, at) => (
            <FindingRow key={at} finding={finding} />
          ))}
        </ul>
      )}
    </li>
  )
}

function FindingRow({ finding: { severity, sentence, remedy, place } }: { finding: Finding }) {
  const t = useText()
  const { icon, word } = looks[severity]
  const show = (event: MouseEvent) => showPlace(event.currentTarget.getRootNode() as ParentNode & Node, place ?? '')
  return (
    <li className={severity}>
      <span className="check-sentence">
        <Icon of={icon} size={14} />
        <b>{t(word)}</b> {t(sentence)}
      </span>
      <span>{t(remedy)}</span>
      {place !== null && (
        <span className="check-place">
          <code translate="no">{place}</code>{' '}
          <button type="button" className="link" onClick={show}>
            {t('Show it')}
          </button>
        </span>
      )}
    </li>
  )
}
