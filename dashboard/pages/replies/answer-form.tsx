import { useSnapshot } from 'valtio'
import type { Reply } from '../../../contract/inbox/reply.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { send } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { RepliesStore } from './replies-store.ts'

/** The field in which a reply is answered. */
export function AnswerForm({ reply, store }: { reply: Readonly<Reply>; store: RepliesStore }) {
  const t = useText()
  const { answers, isSending, problem } = useSnapshot(store.state, { sync: true })
  const answer = answers[reply.id] ?? ''
  const isEmpty = answer.trim() === ''
  return (
    <form
      className="reply-form"
      onSubmit={(event) => {
        event.preventDefault()
        void store.send(reply.id, false)
      }}
    >
      <TextArea
        label={t('Answer from {address}', { address: reply.mailbox_address })}
        value={answer}
        onValue={(text) => store.write(reply.id, text)}
        rows={4}
        {...(problem !== null && { problem })}
      />
      <div className="reply-send">
        <Button kind="primary" type="submit" icon={send} busy={isSending} disabled={isEmpty}>
          {t('Send answer')}
        </Button>
        <Button kind="quiet" disabled={isSending || isEmpty} onClick={() => void store.send(reply.id, true)}>
          {t('Send and mark done')}
        </Button>
        <span>{t('In the same thread, no tracking, no footer')}</span>
      </div>
    </form>
  )
}
