import type { PictureName } from '../pictures/pictures.ts'

/** The steps of the demo, each a screen of the product. */
export const walkThroughSteps: readonly { picture: PictureName; title: string; text: string }[] = [
  {
    picture: 'connect',
    title: 'Connect a mailbox',
    text: 'Paste an app password. We test it before we store it, so a typo shows at once.',
  },
  {
    picture: 'write',
    title: 'Write one message',
    text: 'HTML with merge variables. The preview on the right shows what the first recipient gets.',
  },
  {
    picture: 'followed',
    title: 'Launch and follow it',
    text: 'Each recipient gets a separate mail. Its delivery state updates live.',
  },
  {
    picture: 'home',
    title: 'See your results',
    text: 'The dashboard shows what you sent and the next steps.',
  },
]
