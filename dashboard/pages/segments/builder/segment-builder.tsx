import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { liveSegmentsMaxCount, segmentNameMaxChars } from '../../../../contract/audience/segment.limits.ts'
import { ruleProblems } from '../../../../contract/audience/segment-rule.ts'
import { Banner } from '../../../../widgets/kit/feedback/banner.tsx'
import { Button, ButtonLink } from '../../../../widgets/kit/form/button.tsx'
import { TextField } from '../../../../widgets/kit/form/text-field.tsx'
import { copy, send } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { errorText } from '../../../../client/core/http.ts'
import { useApp } from '../../../app.ts'
import { ScreenHeader } from '../../../shell/screen-header.tsx'
import { BackToSegments } from '../back-to-segments.tsx'
import { duplicateSegment } from '../duplicate-segment.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RuleGroup } from './rule-group.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import type { RuleNames } from './rule-words.ts'
import type { SegmentStore } from './segment-store.ts'
import { UsedIn } from '../used-in.tsx'
import { useLeaveQuestion } from './use-leave-question.tsx'

/** The rules of a segment, as a sentence and as rows, with the people whom they find. */
export function SegmentBuilder({ store }: { store: SegmentStore }) {
  const t = useText()
  const { go } = useApp()
  const form = useRef<HTMLFormElement>(null)
  const { segment, problem, wholeFault, targets, names, root, focus, isDirty } = useSnapshot(store.state, {
    sync: true,
  })
  const question = useLeaveQuestion(store)
  useEffect(() => {
    if (focus === null) return
    const part = form.current?.querySelector(`[data-key="${focus.key}"]`)
    // A group that is left without rows has its own button only.
    const found = part?.querySelector<HTMLElement>(`[data-control="${focus.control}"]`)
    ;(found ?? form.current?.querySelector<HTMLElement>('[data-control="add"]'))?.focus()
    store.focused()
  }, [focus, store])
  const save = async () => {
    const isNew = store.state.segment === null
    const saved = await store.save()
    if (saved === null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    else if (isNew) go(`/dashboard/segments/${saved.id}`, { replace: true })
  }
  return (
    <>
      <BackToSegments />
      <form
        ref={form}
        noValidate
        className="builder"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <BuilderHead store={store} />
        {problem !== null && <Banner kind="error" title={problem} />}
        <div className="builder-columns">
          <div className="builder-rules" onKeyDown={keepEnter}>
            <RuleSentence root={root} names={names as RuleNames} targets={targets} />
            {wholeFault !== null && (
              <Banner kind="error" title={t('The rule {problem}.', { problem: t(ruleProblems[wholeFault]) })} />
            )}
            <section className="panel" aria-label={t('Rules')}>
              <RuleGroup store={store} group={root} level={1} />
            </section>
            <LiveSwitch store={store} />
            {segment !== null && (
              <section className="builder-uses" aria-labelledby="segment-uses">
                <h2 id="segment-uses">{t('Used in')}</h2>
                <UsedIn uses={segment.used_by} />
              </section>
            )}
          </div>
          <PreviewPanel store={store.preview} savedId={isDirty ? null : (segment?.id ?? null)} />
        </div>
      </form>
      {question}
    </>
  )
}

/** Whether the people of the segment follow every change. */
function LiveSwitch({ store }: { store: SegmentStore }) {
  const t = useText()
  const about = useId()
  const { isLive } = useSnapshot(store.state, { sync: true })
  return (
    <section className="panel builder-live" aria-label={t('Updates')}>
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-describedby={about}
          checked={isLive}
          onChange={(event) => store.setLive(event.currentTarget.checked)}
        />
        {t('Keep it up to date')}
      </label>
      <p id={about}>
        {t(
          'People join and leave the segment within seconds of a change to them; rules on mails and days follow within 15 minutes. Without it the segment is counted when it is opened or sent to. At most {count} segments can be kept up to date.',
          { count: liveSegmentsMaxCount },
        )}
      </p>
    </section>
  )
}

/** Enter in a value does not save the segment. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

function BuilderHead({ store }: { store: SegmentStore }) {
  const t = useText()
  const { session, go, notify } = useApp()
  const { segment, name, nameProblem, isDirty, saving } = useSnapshot(store.state, { sync: true })
  const duplicate = async () => {
    if (segment === null) return
    try {
      const made = await duplicateSegment(session, {
        name: segment.name,
        rule: store.state.segment?.rule ?? { all: [] },
      })
      notify({ kind: 'success', text: t('“{name}” created', { name: made.name }) })
      go(`/dashboard/segments/${made.id}`)
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
    }
  }
  const note = isDirty ? t('Unsaved changes') : segment === null ? t('Not saved yet') : t('All changes saved')
  return (
    <div className="builder-head">
      <ScreenHeader title={segment === null ? t('New segment') : segment.name} />
      <div className="builder-tools">
        <div className="builder-name">
          <TextField
            name="name"
            label={t('Name')}
            problem={nameProblem}
            maxLength={segmentNameMaxChars}
            autoComplete="off"
            value={name}
            onValue={(value) => store.setName(value)}
          />
        </div>
        <p className={isDirty ? 'builder-state dirty' : 'builder-state'} role="status">
          {note}
        </p>
        <div className="builder-buttons">
          {segment !== null && (
            <>
              <Button icon={copy} disabled={isDirty} onClick={() => void duplicate()}>
                {t('Duplicate')}
              </Button>
              <ButtonLink icon={send} href={`/dashboard/send_email?segment=${segment.id}`}>
                {t('Use in a campaign')}
              </ButtonLink>
            </>
          )}
          <Button kind="primary" type="submit" busy={saving === 'saving'}>
            {t('Save segment')}
          </Button>
        </div>
      </div>
    </div>
  )
}
