import type { MessageContent } from '../../server/domain/messages/delivery.ts'

/** An accepted message as the sender reads it; HTML by default. */
export function messageContent(given: Partial<MessageContent> = {}): MessageContent {
  return {
    id: '0190a1b2',
    workspaceId: '0190a000',
    campaignId: null,
    fromAddress: 'ann@example.com',
    subject: 'Hi',
    content: '<p>Hello</p>',
    isHtml: true,
    context: {},
    extraHeaders: [],
    fromName: null,
    replyTo: null,
    textPart: null,
    group: null,
    ...given,
  }
}
