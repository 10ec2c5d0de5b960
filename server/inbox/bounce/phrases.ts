import type { BounceReason } from '../../../contract/inbox/bounce-reason.ts'

/** Read as `user_unknown` unless the status names a policy. */
export const weakUnknown = 'weak_unknown'
/** As weak, and read only of words behind a reply code: reports say "the recipient was not reached" of any failure. */
export const negatedRecipient = 'negated_recipient'

/**
 * What mail servers write for each reason, in the order in which they are tried; the first match decides. Matched against
 * lower-case text of at most 2,000 characters.
 */
export const phrases: readonly (readonly [BounceReason | typeof weakUnknown | typeof negatedRecipient, RegExp])[] = [
  [
    'mailbox_suspended',
    /recipient(?:'s)? (?:account|mailbox|address) (?:is|has been) ?(?:blocked|locked|suspended)|(?:compte|bo[iî]te) du destinataire (?:est )?bloqu/,
  ],
  // Of the sender, first: "blocked" and "spam" also stand beside words of other reasons.
  [
    'reverse_dns_missing',
    /reverse (?:dns|lookup|resolution)|\bptr (?:record|entry)|no ptr|rdns|does not have a (?:valid )?reverse|cannot find your (?:reverse )?hostname|fcrdns|helo.{0,40}does not resolve/,
  ],
  [
    'auth_failed',
    /\bdmarc\b|\bauth(?:entication)? (?:failed|failure|required|error)|\bspf\b.{0,60}(?:fail|check|record|not|invalid)|\bdkim\b.{0,60}(?:fail|check|sign|not|invalid)|spoof|unauthenticated (?:email|mail|sender)|(?:sender|message|email).{0,30}(?:not authenticated|fails? authentication)|authentication (?:checks|required policy)|not authorized to send (?:mail )?(?:from|on behalf)|sendasdenied|sender (?:address )?verif(?:y|ication).{0,20}(?:fail|error|problem|callout)|\bverification failed (?:for|while checking) <?@|(?:fail|could not).{0,20}sender verif|sender (?:address |domain )?(?:is )?(?:rejected|refused|denied)|provide a valid from|(?:invalid|unroute?able|unverifiable) (?:envelope )?sender|(?:sender|from) (?:address|domain).{0,20}(?:invalid|does not exist|not found)/,
  ],
  [
    'relaying_denied',
    /relay(?:ing)? (?:access )?(?:is )?(?:denied|not permitted|not allowed|prohibited|disallowed|refused)|(?:cannot|can't|not configured to) relay|requires? (?:smtp )?authentication|authentication.{0,20}relay|unable to relay|unauthori[sz]ed relay|not (?:a )?(?:gateway|relay)\b|not local (?:host|domain)|local users? only|relaying to .{0,40}prohibited|not permitted to relay|we do not relay|relay not permitted|relaying denied|relay through this server|smtp authentication|remote domains? (?:is |are )?not (?:supported|permitted|allowed)|allowed rcpthosts/,
  ],
  [
    'spam_detected',
    /spam(?!haus|cop)|\bs?u?ri?bl\b|message filtered|\bjunk ?mail\b|unsolicited|\bu[bc]e\b|classified as (?:bulk|junk)|bulk (?:e-?)?mail|identified as (?:being )?spam|considered spam|looks like spam|unwanted (?:mail|content)|phish|suspected (?:spam|bounce|attack|abuse)|suspicious/,
  ],
  ['bad_reputation', /reputation|sender ?score|low (?:sender )?trust|poor history|senderbase/],
  [
    'blocked',
    /black ?list|no access for|no longer accepts? (?:smtp )?connections|dynamic(?:ally)? (?:assigned )?ip|(?:user|addressee) (?:has )?(?:reject|refus|declin)|recipient (?:has )?(?:refused|declined) (?:to|this|your)|(?:user|recipient|addressee) (?:does not|doesn't) want|(?:connection|mail|message|blocked|refused|rejected)[^.]{0,20} (?:for|due to) abuse|block ?list|\bblocked\b|\(bl\)|\brbl\b|\bdnsbl\b|spamhaus|spamcop|barracudacentral|sorbs|access denied.{0,40}\bip\b|banned (?:sending )?(?:ip|sender|host)|\b(?:ip|host|client)\b(?! said).{0,60}\b(?:listed|banned|denied|rejected)|ha(?:s|ve) been (?:temporarily )?(?:blocked|banned|deferred due to user complaints)|connections? (?:will )?(?:not (?:be )?accepted|refused) from|not accepting connections|not accepting (?:mail|messages|e-?mail) from|(?:messages|mails?) from .{0,60}(?:deferred|refused|rejected|not accepted|weren't sent)|(?:rejected|refused|blocked) by (?:the )?recipients?\b(?! domain)|recipient preferences|bad helo|\b(?:helo|ehlo)\b.{0,40}(?:invalid|not allowed|rejected)|\[?s3(?:140|150)\]?/,
  ],
  [
    'too_many_connections',
    /too many (?:concurrent |simultaneous )?(?:smtp )?(?:connections|sessions)|concurrent connections|connection limit|maximum (?:number of )?connections/,
  ],
  [
    'recipient_rate_limited',
    /recipient.{0,40}(?:receiving mail (?:at|too)|rate)|user.{0,40}receiving mail (?:at a rate|too quickly)|too many messages (?:for|to) (?:this|the) (?:recipient|user|mailbox)|exceeded the (?:recipient|receiving) limit/,
  ],
  [
    'rate_limited',
    /rate limit|ratelimit|too many (?:invalid )?(?:messages|mails|emails|recipients)(?! (?:on|in) )|sending limit|daily (?:user )?sending (?:limit|quota)|message (?:submission )?rate|exceed(?:ed|s)?.{0,30}(?:per (?:hour|day|minute)|hourly|daily|sending)|throttl|frequency limit|excessive volume|unusual rate|sent too many|quota for (?:sending|outgoing)|over quota for sending|tenant has exceeded|(?:daily|hourly) (?:[a-z]{1,20} )?quota/,
  ],
  // The address.
  [
    'mailbox_full',
    /(?:mailbox|mail box|inbox|account|user|quota|recipient|postfach|boîte|buzón|casella|caixa|skrzynka|brevlåda|postkasse|postilaatikko|schránka).{0,40}(?:full|is full|voll|pleine|lleno|piena|cheia|pełna|full\b|täynnä|plná|exceeded|überschritten|dépassé|excedid|superat|przekroczon|überfüllt|over ?quota|over its quota|size limit|storage limit)|over ?quota|quota (?:is )?exceed|quota (?:violation|reached|limit)|too many (?:messages|mails|e-?mails) (?:on|in) |zu ?viele (?:mails|nachrichten)|(?:error writing|cannot append|write error).{0,80}(?:too large|space|quota)|(?:exceeded|exhausted).{0,30}storage|too much mail|message count|(?:larger|bigger) than the (?:free |remaining )?(?:space|quota)|any more (?:mail|messages|e-?mail)|(?:space|room) not enough|no (?:more )?(?:space|room) (?:left )?(?:in|for)|exceed(?:s|ed)?.{0,30}(?:quota|mailbox|storage)|overdrawn.{0,30}quota|out of (?:storage|disk) (?:space|quota)|insufficient (?:mailbox )?(?:storage|disk quota)|disk quota|not (?:have )?enough (?:(?:disk|storage|free) ?)?space|(?:quota|speicherplatz|kontingent).{0,30}(?:überschritten|voll|erschöpft|exceed)|mailbox ?full|mailfolder is full|mailbox exceeds|storage.{0,20}(?:exceeded|full)/,
  ],
  [
    'has_moved',
    /(?:user|mailbox|recipient|address|account|e-?mail) (?:has )?(?:moved|changed)|no longer (?:at this address|uses this address)|new address is|has moved to|forwarding address|address change/,
  ],
  [
    'mailbox_suspended',
    /(?:account|mailbox|user|recipient|domain).{0,40}(?:suspend|locked|frozen|blocked for non-?payment)|suspended/,
  ],
  [
    'mailbox_disabled',
    /(?:account|mailbox|mail box|user|recipient|address).{0,40}(?:disabled|discontinued|inactive|deactivated|expired|closed|not (?:yet )?activ|no longer active|archived|archivé|terminated|deaktiviert|désactivé|inactiv|désactivée|desactivad|disattivat)|(?:disabled|inactive|deactivated|closed|expired|archived) (?:account|mailbox|user|recipient|address)|(?:casilla|cuenta|buzón|conta).{0,40}(?:expirad|desactivad|deshabilitad|inactiv)|\bis (?:now )?(?:disabled|deactivated|inactive)\b|\binactiv|\bdeactivated\b|disabled due to|(?:mail|e-?mail|message)s? (?:receiving|reception|delivery) (?:is )?disabled|(?:address|user|mailbox|account|recipient) (?:does not|doesn't|no longer) (?:receive|accept)s? (?:any )?(?:mail|e-?mail|messages)(?! (?:from|at|now|until|right|currently))|mailbox is inactive|account is disabled|is not (?:currently )?active|no longer accept(?:s|ing) (?:mail|messages)|\bdeaktiviert/,
  ],
  [
    'host_unknown',
    /host (?:or domain name )?(?:not found|unknown)|unknown host|domain (?:name )?(?:not found|does not exist|unknown|is not known|isn't known)|no such (?:domain|host)|name (?:or )?service.{0,20}not (?:found|known)|unrouteable (?:address|domain|mail domain)|nxdomain|no (?:mx|mail exchanger|valid mx|route to domain)|domain.{0,60}(?:couldn't be found|could not be found|has no (?:valid )?mail exchangers)|couldn't find any host|non-?existent (?:host|domain)|dns domain.{0,60}does not exist|bad destination (?:host|system)|illegal host/,
  ],
  [
    'domain_not_accepting',
    /(?:domain|host|system|server).{0,40}(?:does not|doesn't|not) accept(?:ing)? (?:any )?(?:mail|messages|e-?mail)|null mx|no smtp service|(?:doesn't|does not) handle (?:mail|messages)|not accepting (?:network )?messages|does not accept mail|doesn't accept mail|domain (?:is )?not used for|domain (?:is )?(?:disabled|not hosted|not configured)|no mail (?:is )?accepted|not our (?:customer|domain)|not a local domain/,
  ],
  // A list or a group refuses who is no member; such an answer names the sender's address.
  [
    'policy_refused',
    /not (?:an? )?(?:subscribed|subscribers?|members?) (?:to|of|on) (?:th(?:e|at|is) |our )?(?:[\w-]{1,30} )?(?:group|list|mailing)/,
  ],
  [
    'user_unknown',
    /(?:user|recipient|mailbox|address|account|rcpt|addressee|alias|local ?part|destinatar[a-z]{1,4}).{0,60}(?:unknown|not found|not exist|doesn'?t exist|does ?n[o']t exist|n[o']t exist|not known|not listed|not recogni[sz]ed|no such|cannot be found|couldn't be found|wasn't found|doesn't have|is not here|nicht gefunden|unbekannt|inconnu|desconocid|sconosciut|inesistente|desconhecid|onbekend|nieznany|okänd|ukendt|ukjent|tuntematon|neznám|existiert nicht|n'existe pas|no existe|non esiste|não existe|bestaat niet|nie istnieje|finns inte|findes ikke|finnes ikke|ei ole olemassa|neexistuje)|(?:unknown|no such|invalid|bad|non-?existent|nonexistent|unbekannter|inconnu|utente sconosciuto|usuario desconocido) (?:local )?(?:user|recipient|mailbox|address|account|addressee|alias|email|e-mail|empfänger|benutzer|destinataire)|no such (?:person|user|mailbox|recipient|account|address|email)|(?:does not|doesn't) have an? .{0,60}(?:account|mailbox)|(?:unable to|could ?n[o']t) (?:find|locate) (?:\w{1,20} ){0,3}(?:user|recipient|mailbox|address|account)|(?:has|have) left (?:the|our|this) (?:company|organi[sz]ation|firm|university|school)|wrong (?:user|recipient|address|mailbox)|no mailbox (?:here )?(?:by|with)|not (?:an?|one of our|our) (?:valid|known|existing|active|real|registered|legitimate|current)? ?(?:(?:local|e-?mail) )?(?:users?|mailbox|recipients?|address|account)|(?:user|recipient|address|account|mailbox|rcpt)[- _]?(?:bad|invalid|not[- _]?found|unknown)|(?:bad|unknown|invalid)[ -](?:recipient|rcpt|user|mailbox|address)|\bno (?:mail ?box|account)\b|no (?:e-?mail|user)[^.]{0,12} (?:available|exists?|found|here|by|for|with|named)|unknown local[- ]?part|@\W{0,3} (?:does not|doesn't|did not) exist|(?:user|mailbox|recipient) ?unknown|not our customer|said: 550 5\.1\.1|nosuchuser|resolver\.adr\.recip(?:ient)?notfound|recipnotfound|no valid recipients?|invalid final delivery userid|bad (?:destination )?(?:mailbox|e-?mail|address)|not known (?:at|here|to)\b|(?:recipient|user|mailbox) is(?: not|n't) in (?:my|our|the) (?!allow|white|safe)[\w-]{1,20} (?:list|table|directory|database)|(?:does not|doesn't) have a (?:final )?.{0,20}delivery point|\b(?:non esiste|no existe|n'existe pas|não existe|existiert nicht|nie istnieje)\b|inconnu à cette adresse|there is no (?:user|one|mailbox|account|such)|not (?:exactly )?match an?\b|no match(?:es)? (?:for|to|found)|can(?:'t|not) find (?:the |that |this )?(?:user|recipient|mailbox|address)|empfänger(?:adresse)?.{0,60}(?:unbekannt|nicht gefunden|existiert nicht|ungültig)|(?:adresse|destinataire|boîte).{0,60}(?:inconnue?|n'existe pas|introuvable|invalide)|(?:dirección|usuario|buzón|destinatario).{0,60}(?:no existe|desconocid|no encontrad|no válid|sconosciut|inesistente|non (?:esiste|trovat))|(?:endereço|usuário|caixa).{0,60}(?:não (?:existe|encontrad)|desconhecid|inválid)|(?:adres|gebruiker|postbus).{0,60}(?:bestaat niet|onbekend|niet gevonden)|(?:adres|użytkownik|skrzynka|odbiorca).{0,60}(?:nie istnieje|nieznany|nie znaleziono)|(?:adressen|mottagaren|modtageren|mottakeren|användaren|brugeren).{0,60}(?:finns inte|findes ikke|finnes ikke|okänd|ukendt|ukjent|hittades inte|blev ikke fundet)|(?:osoite|vastaanottaja).{0,60}(?:ei ole|tuntematon|ei löydy)|(?:adresa|uživatel|příjemce|schránka).{0,60}(?:neexistuje|neznám|nenalezen)|ユーザー?が見つかりません|宛先.{0,20}(?:見つかりません|存在しません)|user doesn't exist|no longer (?:employed|works|with|valid|exists|available|in use|on)/,
  ],
  [
    'policy_refused',
    /\b(?:sender|mail ?from|(?:envelope|header) from|from (?:address|header)|helo|ehlo|client host|your (?:ip|host|server|domain|mail server))\b.{0,60}\b(?:not|mismatch(?:es|ed)?|invalid|failed|denied|refused|rejected|unknown|missing)\b|\brule (?:imposed|\[?\d)/,
  ],
  // Weaker words: a status of policy (5.7.x) decides before them.
  [
    weakUnknown,
    /(?:user|recipient|mailbox|address|account|rcpt|addressee|alias).{0,60}(?:invalid|rejected|unavailable|isn't valid|not valid|not available|refused)|(?:invalid|unknown|wrong)\b.{0,20}\b(?:user|recipient|mailbox|address|account)|reject(?:s|ed)? (?:the |all |this )?(?:recipients?|address(?:es)?)\b|address rejected|recipient rejected|mailbox unavailable|invalid (?:recipient|address|mailbox)/,
  ],
  [
    'dns_error',
    /dns (?:error|fail|lookup|query|server)|name ?server|name service error|servfail|temporary (?:lookup|resolution) failure|domain lookup/,
  ],
  // The mail.
  [
    'message_too_large',
    /message (?:is )?too (?:large|big)|(?:message|mail|header|size).{0,40}(?:exceeds?|exceeded|larger than|too large|too big)|exceeds (?:the )?(?:maximum |message )?size|size (?:limit|exceed)|nachricht.{0,20}zu groß|trop volumineux|demasiado grande|troppo grande|muito grande|te groot|zbyt duż|för stor|liian suuri|příliš velk/,
  ],
  ['virus_detected', /virus|malware|trojan|infected|worm\b/],
  [
    'attachment_refused',
    /attachment|file (?:type|extension|name).{0,30}(?:not allowed|blocked|prohibited|banned)|executable|forbidden (?:file|mime)/,
  ],
  [
    'loop_detected',
    /mail(?:ing)? loop|loop (?:detected|back)|loops back|too many (?:hops|received)|hop count|exceeded \d{1,3} hops|routing loop|\bloop(?:ing)?\b|forwarding loop/,
  ],
  [
    'not_standard_conforming',
    /\brfc ?\d{3,4}\b(?! ?;)|not (?:rfc )?compliant|(?:does not|doesn't|not) comply|required standards|non-?compliant|missing (?:a )?(?:valid )?(?:message-?id|date|from|required) (?:header)?|(?:message|mail)s? without (?:an? |the |any )?(?:valid )?(?:[a-z-]{1,20}:? )?(?:fields?|headers?|subject|date|sender|recipients?|message-?id)\b|duplicate header|malformed|\bmime\b.{0,30}(?:reject|error|invalid|structure)|invalid (?:structure|header|data)|bad header|8-?bit|mime (?:error|parse)|bare line ?feed|invalid characters?/,
  ],
  [
    'syntax_error',
    /syntax error|protocol (?:violation|error)|command (?:not recogni[sz]ed|unrecogni[sz]ed|rejected)|unrecogni[sz]ed command|bad sequence|illegal (?:address|envelope|character)|parse error/,
  ],
  // Waiting.
  ['greylisted', /gr[ae]y-?list|try again in \d+ (?:seconds|minutes)|please (?:try|retry) again (?:later|in)/],
  ['tls_failed', /\btls\b|\bssl\b|starttls|certificate/],
  ['system_error', /(?:maildir|\.forward|create|open|write|output|file|directory)\b.{0,80}permission denied/],
  [
    'system_full',
    /(?:system|disk|server|queue).{0,30}(?:full|out of space|no space)|insufficient system (?:storage|resources)|no space left/,
  ],
  [
    'expired',
    /(?:delivery|message|retry|queue).{0,40}(?:expired|time ?(?:d )?out|timeout exceeded|exceeded)|could not be delivered (?:for|within|after)|too (?:long|old) in queue|retry time(?:out)? (?:not reached|exceeded)|has been (?:in the|on the) queue|giving up|gave up|delivery time expired|not (?:been )?(?:delivered|collected) (?:for|within|after) \d+|\b\d{1,4} (?:delivery )?(?:attempts|tries|times)|(?:maximum|exceeded).{0,20}(?:delivery|retry) (?:attempts|count)/,
  ],
  [
    'network_error',
    /connection (?:timed out|refused|reset|lost|dropped|was (?:closed|dropped|refused))|network (?:is )?unreachable|no route to host|host (?:is )?unreachable|unable to connect|could(?: not|n't) connect|conversation (?:with|timed)|timed? ?out while|no answer from host|communication (?:failure|error)|i\/o error|socket error|not responding|not reachable/,
  ],
  ['on_hold', /on hold|quarantin|held for (?:review|moderation)|awaiting (?:moderation|approval)/],
  [
    'mailer_error',
    /mailer (?:error|failure)|local (?:delivery )?(?:error|failure)|exit (?:status|code)|(?:pipe|command) (?:failed|died)|procmail|unable to open mailbox|\/var\/(?:mail|spool)|internal software error|delivery agent/,
  ],
  [
    'policy_refused',
    /policy|policies|\bno permit\b|\b5\d\d denied|allowed recipients|require[sd]? (?:confirmation|verification|registration)|confirm (?:this|your) (?:mail )?server|white ?list|envelope (?:rejected|blocked)|administrative(?:ly)? (?:prohibit|den|reject)|not (?:permitted|allowed|authori[sz]ed)|access denied|permission denied|prohibited|restricted|(?:message|mail) (?:was )?refused by|rejected due to security|moderat|5\.7\.1\b.{0,40}denied|tenant attribution|only accepts|unauthorized/,
  ],
  [
    'content_refused',
    /content|unacceptable|\bbanned\b|\bhtml\b|message (?:was )?(?:rejected|refused|blocked|not accepted|denied)|transaction failed|\burl\b|body (?:check|part)|header check|text.{0,20}refused|rejected (?:by|as|due to)/,
  ],
  [
    'temporarily_unavailable',
    /temporar|try (?:again )?later|unavailable|deferred|server busy|too busy|overload|greylist|momentarily|vorübergehend|temporaire|temporane/,
  ],
  [
    'system_error',
    /system (?:error|problem|not accepting|failure|config)|internal (?:server )?error|configuration (?:error|problem)|service (?:not available|unavailable)|local error|resources temporarily|server error|software error|database error|ldap|lookup fail/,
  ],
  // What is left is said by a noun and a negation.
  [
    negatedRecipient,
    /\b(?:user|recipient|mailbox|account|addressee|alias|subscriber|customer)s?\b[^.;]{0,60}\b(?:not|never|cannot be|can't be|isn't|wasn't|hasn't|doesn't|didn't|are invalid)\b(?! (?:\w{1,20} ){0,3}(?:accept|receiv|deliver|reach|sent|ready|respond|now|yet|at (?:this|the)|available|space|room|enough))/,
  ],
  [
    'content_refused',
    /\b(?:message|mail|e-?mail|data|content)\b.{0,60}\b(?:rejected|refused|filtered|blocked|bounced)\b/,
  ],
]
