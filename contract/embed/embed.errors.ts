/** Error codes of embeds and embed sessions. */
export const embedErrors = {
  embed_code_invalid: {
    status: 400,
    sentence: 'This code has expired, was already used, or belongs to another page. Ask for consent again.',
  },
  embed_session_ended: { status: 401, sentence: 'This embed session has expired or was revoked. Open a new one.' },
  token_in_foreign_page: {
    status: 403,
    sentence: 'An access token must not be used in another site’s page. Use an embed session there.',
  },
  embed_session_in_browser: {
    status: 403,
    sentence: 'Open embed sessions on your server, and pass only their token to the page.',
  },
  embed_forbidden: { status: 403, sentence: 'An embed session is not allowed to do this.' },
  embed_origin_refused: {
    status: 403,
    sentence:
      'This page’s origin is not among the allowed origins of the embed. Add it in the dashboard, under Embeds.',
  },
  embed_scope_refused: { status: 403, sentence: 'The embed does not grant this scope.' },
  embed_popup_off: {
    status: 403,
    sentence: 'This embed does not allow sign-in through a popup. Its site opens sessions on its own server.',
  },
  embed_not_found: { status: 404, sentence: 'No embed has this id.' },
  embed_session_not_found: { status: 404, sentence: 'This embed has no open session with this id.' },
  embed_paused: { status: 409, sentence: 'This embed is paused. Its owner can resume it in the dashboard.' },
  embed_limit_reached: { status: 409, sentence: 'There are 500 embeds already. Delete one before you create another.' },
  embed_quota_used: { status: 429, sentence: 'This embed has reached its sending limit. Its owner can raise it.' },
} as const
