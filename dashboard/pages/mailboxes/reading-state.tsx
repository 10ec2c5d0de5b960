import type { Reading } from '../../../contract/inbox/reading.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { Time } from '../../kit/time.tsx'

const words: Readonly<Record<Reading['state'], string>> = {
  off: 'Not read',
  starting: 'Reading starts',
  live: 'Reading, new mails within seconds',
  polling: 'Reading, every ten minutes (polling)',
  needs_consent: 'Reading needs one more permission from the provider; sending goes on',
  refused: 'Reading stopped: the mail server refused the password',
  failing: 'Reading is interrupted and tried again',
}

/** How a mailbox is read: the state in words, what is wrong, folders and figures. */
export function ReadingState({ reading }: { reading: Reading }) {
  const t = useText()
  const { state, since, last_checked_at: checkedAt, error, folders, counts, can_read: canRead } = reading
  if (!canRead) return <p>{error}</p>
  return (
    <>
      <p>
        {t(words[state])}
        {since !== null && (
          <>
            {' · '}
            {t('since')} <Time iso={since} isDated />
          </>
        )}
        {checkedAt !== null && (
          <>
            {' · '}
            {t('last checked')} <Time iso={checkedAt} />
          </>
        )}
      </p>
      {error !== null && (
        <p className="reading-problem" role="alert">
          {error}
        </p>
      )}
      {folders.length > 0 && (
        <p>{t('Folders: {folders}', { folders: folders.map(({ folder }) => folder).join(', ') })}</p>
      )}
      {(reading.is_reading || counts.seen > 0) && (
        <p>
          {t('30 days: {replies} replies, {auto} auto-replies, {bounces} bounces, {complaints} called it spam', {
            replies: counts.replies,
            auto: counts.auto_replies,
            bounces: counts.bounces,
            complaints: counts.complaints,
          })}
        </p>
      )}
    </>
  )
}
