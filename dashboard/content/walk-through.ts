import type { PictureName } from '../pictures/pictures.ts'

/** The steps of the demo, each a screen of the product. */
export const walkThroughSteps: readonly { picture: PictureName; title: string; text: string }[] = [
  {
    picture: 'connect',
    title: 'Connect a mailbox',
    text: 'Paste an app password. We sign in with it before we keep it, so a typo shows at once.',
  },
  {
    picture: 'write',
    title: 'Write one message',
    text: 'HTML with merge variables. On the right stands what the first recipient gets.',
  },
  {
    picture: 'followed',
    title: 'Launch, and follow it',
    text: 'Each recipient gets a mail of their own. Its state is told as the mail server tells it.',
  },
  {
    picture: 'home',
    title: 'Come back to it',
    text: 'The dashboard keeps what you sent and says what comes next.',
  },
]
