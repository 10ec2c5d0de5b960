/** What an account mail says. Lines and link are templates: their variables are filled, escaped, where the mail is built. */
export interface AccountMailText {
  subject: string
  heading: string
  lines: readonly string[]
  /** The one thing to press; it leads to `{{link}}`. */
  button: string
  closing: string
}

const font = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const green = '#0f6b4f'
const productName = 'Sendwright'

/**
 * Tables, inline styles and system fonts: what Gmail, Outlook and Apple Mail agree on. Each colour has its background
 * beside it, so that a program which darkens a mail darkens both; those that ask get dark colours of ours. Outlook draws
 * no padding on a link: there the cell has it. The link is repeated in full below the button, for programs that lose buttons.
 */
export function layOutAccountMail({ subject, heading, lines, button, closing }: AccountMailText): string {
  const paragraphs = lines.map((line) => `<p class="ink" style="margin:0 0 16px;color:#1c1b19">${line}</p>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #141412 !important; }
  .card { background: #1c1c19 !important; border-color: #33322d !important; }
  .ink { color: #f2f0ea !important; }
  .quiet { color: #b9b5ab !important; }
  .brand { color: #4cc29a !important; }
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#f3f1ec">
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f3f1ec" style="background:#f3f1ec"><tr><td align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="520" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="max-width:520px;background:#ffffff;border:1px solid #e4e1da;border-radius:12px"><tr><td style="padding:32px;${font};font-size:16px;line-height:24px;text-align:left">
<p class="brand" style="margin:0 0 20px;font-size:15px;line-height:20px;font-weight:600;color:${green}">${productName}</p>
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;color:#1c1b19">${heading}</h1>
${paragraphs}
${buttonOf(button)}
<p class="quiet" style="margin:0;font-size:14px;line-height:20px;color:#57534b">${closing}</p>
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>`
}

function buttonOf(text: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td bgcolor="${green}" style="border-radius:8px;background:${green};mso-padding-alt:12px 20px"><a href="{{link}}" style="display:inline-block;padding:12px 20px;${font};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${text}</a></td></tr></table>
<p class="quiet" style="margin:0 0 16px;font-size:14px;line-height:20px;color:#57534b;word-break:break-all">Or open this address:<br>{{link}}</p>`
}
