import { expect, it } from 'vitest'
import { serverMessage } from '../../contract/core/server-messages.ts'
import { mailboxSentences } from '../../contract/mail/mailbox-sentences.ts'
import { sentences } from '../../widgets/lib/messages/server-sentences-ar.ts'
import { createSentenceTranslator } from './server-sentences.ts'

const translate = createSentenceTranslator(new Map(), 'ar')
translate.add(sentences)

it('translates a message with the plural form of the language for its count', () => {
  const shown = [1, 2, 5, 11, 100].map((count) => translate(serverMessage('email_sent', { count })))
  expect(shown).toEqual([
    'تم إرسال البريد إلى مستلم واحد',
    'تم إرسال البريد إلى مستلمَين',
    'تم إرسال البريد إلى 5 مستلمين',
    'تم إرسال البريد إلى 11 مستلمًا',
    'تم إرسال البريد إلى 100 مستلم',
  ])
})

it("translates a message nested in another one, and keeps the mail server's reply", () => {
  const reason = serverMessage('mail_server_reply', {
    sentence: mailboxSentences.tryLater,
    reply: '454 Try (later) {x}',
  })
  const text = serverMessage('mailbox_paused_because', { address: 'ann@example.com', reason })
  const shown = translate(text) ?? ''
  expect(shown).toContain('454 Try (later) {x}')
  expect(shown).not.toMatch(/paused|mail server|few minutes/)
})
