import { useEffect, useId, useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { mailboxList } from '../../../client/mail/mailbox-list.ts'
import type { Embed } from '../../../contract/embed/embed.ts'
import { embedWidgets } from '../../../contract/embed/embed-scopes.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { Choice, Choices } from './choices.tsx'
import { createEmbedFormStore, limitNames, type EmbedFormStore, type LimitName } from './embed-form-store.ts'
import { widgetLabels } from './scope-labels.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

const limitLabels: Readonly<Record<LimitName, string>> = {
  messages_per_session: 'Messages per session',
  recipients_per_session: 'Recipients per session',
  recipients_per_day: 'Recipients per day',
}

/** What an embed is, to be written or changed. */
export function EmbedForm({ embed, onSaved }: { embed: Embed | null; onSaved: (embed: Embed) => void }) {
  const t = useText()
  const { session } = useApp()
  const form = useRef<HTMLFormElement>(null)
  const [store] = useState(() => createEmbedFormStore(session, embed, onSaved))
  const { status, draft, problems, error } = useSnapshot(store.state, { sync: true })
  useWarning(store)

  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    void store.save().then((field) => {
      if (field !== null) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    })
  }
  return (
    <form ref={form} className="embed-form" noValidate onSubmit={submit} aria-label={t('Embed')}>
      {error !== null && <Banner kind="error" title={error} />}
      <TextField
        label={t('Name')}
        name="name"
        placeholder={t('Shop admin')}
        value={draft.name}
        problem={problems.name}
        onValue={(name) => store.write({ name })}
        onBlur={() => store.check('name')}
      />
      <TextArea
        label={t('Allowed origins')}
        name="origins"
        rows={3}
        spellCheck={false}
        placeholder="https://admin.example.com"
        hint={t('One per line: https, the host, and an optional port. http for localhost only.')}
        value={draft.origins}
        problem={problems.origins}
        onValue={(origins) => store.write({ origins })}
        onBlur={() => store.check('origins')}
      />
      <Choices legend={t('Widgets')} problem={problems.widgets}>
        {embedWidgets.map((widget) => (
          <Choice
            key={widget}
            kind="checkbox"
            label={t(widgetLabels[widget].name)}
            text={t(widgetLabels[widget].text)}
            isOn={draft.widgets.includes(widget)}
            isWrong={problems.widgets !== undefined}
            onPick={() => store.toggleWidget(widget)}
          />
        ))}
      </Choices>
      <Mailboxes store={store} />
      <fieldset className="embed-limits">
        <legend>{t('Limits')}</legend>
        <div className="embed-limit-fields">
          {limitNames.map((name) => (
            <TextField
              key={name}
              label={t(limitLabels[name])}
              name={name}
              inputMode="numeric"
              value={draft.limits[name]}
              problem={problems[name]}
              onValue={(value) => store.setLimit(name, value)}
              onBlur={() => store.check(name)}
            />
          ))}
        </div>
      </fieldset>
      <Choices legend={t('Sign-in')}>
        <Choice
          kind="checkbox"
          label={t('People may sign in through a popup')}
          text={t('For pages without a back end. Members of this workspace allow the page for 15 minutes.')}
          isOn={draft.popupSignIn}
          onPick={() => store.write({ popupSignIn: !draft.popupSignIn })}
        />
      </Choices>
      <div className="embed-form-foot">
        {/* A press leaves the focus where it is: a sentence that came with leaving a field would move the button away. */}
        <Button kind="primary" type="submit" busy={status === 'saving'} onMouseDown={(event) => event.preventDefault()}>
          {embed === null ? t('Create embed') : t('Save changes')}
        </Button>
      </div>
    </form>
  )
}

function Mailboxes({ store }: { store: EmbedFormStore }) {
  const t = useText()
  const { session } = useApp()
  const group = useId()
  const [list] = useState(() => mailboxList(session))
  useEffect(() => void list.load(), [list])
  const { items } = useSnapshot(list.state)
  const { draft, problems } = useSnapshot(store.state)
  const { mailboxIds } = draft
  return (
    <Choices legend={t('Mailboxes')} problem={problems.mailboxIds}>
      <Choice
        kind="radio"
        name={group}
        label={t('All mailboxes of the workspace')}
        text={t('Including mailboxes connected later.')}
        isOn={mailboxIds === null}
        onPick={() => store.write({ mailboxIds: null })}
      />
      <Choice
        kind="radio"
        name={group}
        label={t('Only these')}
        isOn={mailboxIds !== null}
        onPick={() => store.write({ mailboxIds: mailboxIds === null ? [] : [...mailboxIds] })}
      />
      {mailboxIds !== null && (
        <div className="embed-mailboxes">
          {items.length === 0 && (
            <p>
              {richText(t, 'No mailbox is connected yet. {link}', {
                link: <a href="/dashboard/email_config#add">{t('Connect one')}</a>,
              })}
            </p>
          )}
          {items.map(({ id, email_address: address }) => (
            <Choice
              key={id}
              kind="checkbox"
              label={address}
              isOn={mailboxIds.includes(id)}
              isWrong={problems.mailboxIds !== undefined}
              onPick={() => store.toggleMailbox(id)}
            />
          ))}
        </div>
      )}
    </Choices>
  )
}

/** Confirms leaving the page with unsaved changes. */
function useWarning(store: EmbedFormStore): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (store.isDirty()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [store])
}
