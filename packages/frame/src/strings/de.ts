import type { Messages } from './en.ts'

/** German. */
const de: Messages = {
  'frame.wallet': 'Sichere Wallet',
  'frame.secure': 'Geschützter Bereich',
  'frame.askedBy': 'Anfrage von {site}',
  'frame.position': '1 von {n}',
  'frame.cancel': 'Abbrechen',
  'frame.close': 'Schließen',
  'frame.reject': 'Ablehnen',
  'frame.notNow': 'Nicht jetzt',
  'frame.saving': 'Wird gespeichert …',
  'frame.checking': 'Wird geprüft …',

  'approval.label': 'Bestätigen',
  'approval.request': 'Anfrage',
  'approval.reading': 'Die Anfrage wird gelesen …',
  'approval.covered': 'Du kannst bestätigen, sobald alles zu sehen ist.',
  'approval.signing': 'Wird unterschrieben …',
  'approval.next': 'Weiter',
  'approval.exact': 'Genaue Daten',
  'approval.sign': 'Unterschreiben',
  'approval.signIn': 'Anmelden',
  'approval.transaction': 'Transaktion bestätigen',
  'approval.blocked': 'Blockiert',
  'approval.network': 'Netzwerk',
  'approval.to': 'An',
  'approval.contract': 'Contract',
  'approval.spender': 'Berechtigter',
  'approval.operator': 'Berechtigter',
  'approval.amount': 'Betrag',
  'approval.unlimited': 'Unbegrenzt',
  'approval.until': 'Erlaubt bis',
  'approval.thisBlock': 'Nur im Block dieser Transaktion',
  'approval.useUntil': 'Unterschrift gültig bis',
  'approval.useBlock': 'Nur im Block, der die Unterschrift verwendet',
  'approval.noEnd': 'Ohne Enddatum',
  'approval.through': 'Über Permit2',
  'approval.data': 'Daten',
  'approval.bytes': '{n} Bytes',
  'approval.units': '{n} Einheiten',
  'approval.unitsOf': '{n} Einheiten von {token}',
  'approval.unnamedToken': 'Token ohne Namen',
  'approval.more': 'und {n} weitere',

  'approval.message': 'Nachricht unterschreiben',
  'approval.movesNothing': 'Das bewegt nichts und kostet nichts.',
  'approval.notText': 'Kein Text',
  'approval.notTextHint':
    'Diese Nachricht ist nicht lesbar. Unterschreibe sie nur, wenn du weißt, wozu sie dient.',
  'approval.signInTo': 'Bei {site} anmelden',
  'approval.elsewhere': 'Damit würdest du dich woanders anmelden',
  'approval.elsewhereHint':
    '{site} will, dass du dich bei {domain} anmeldest. So werden Konten gestohlen.',
  'approval.askedBy': 'Anfrage von',
  'approval.signsInTo': 'Anmeldung bei',

  'approval.typedData': 'Daten von {name} unterschreiben',
  'approval.someContract': 'einem Contract',
  'approval.kind': 'Art',
  'approval.canMove': 'Unterschriften können Coins bewegen',
  'approval.canMoveHint': 'Unterschreibe nur, wenn du weißt, wozu diese Daten dienen.',
  'approval.moves': 'Diese Unterschrift bewegt Coins',
  'approval.movesHint': 'Sie kostet kein Gas. Der Berechtigte kann die Coins damit später abheben.',
  'approval.movesAllHint':
    'Sie kostet kein Gas. Der Berechtigte kann damit deine gesamten {token} abheben, jetzt oder später. Eine Unterschrift mit kleinerem Betrag würde auf der Website nicht funktionieren.',
  'approval.movesToHint':
    'Sie kostet kein Gas. Jeder kann die Coins damit später an diese Adresse senden.',
  'approval.anyNetwork': 'Jedes Netzwerk',
  'approval.anyNetworkTitle': 'Gilt in jedem Netzwerk',
  'approval.anyNetworkHint':
    'Diese Unterschrift nennt kein Netzwerk. Sie kann in allen verwendet werden, mit anderen Coins.',

  'approval.send': '{amount} an {to} senden',
  'approval.sendOf': '{amount} von {token} senden',
  'approval.nft': 'NFT {id}',
  'approval.allow': '{spender} erlauben, {amount} auszugeben',
  'approval.allowAll': '{spender} erlauben, deine gesamten {token} auszugeben',
  'approval.disallow': '{spender} nicht mehr erlauben, deine {token} auszugeben',
  'approval.allowSeveral': '{spender} erlauben, {n} verschiedene Coins auszugeben',
  'approval.allowNft': '{spender} erlauben, NFT {id} von {token} zu bewegen',
  'approval.allowEither':
    '{spender} erlauben, {n} Einheiten auszugeben oder NFT {n} von {token} zu bewegen',
  'approval.allowMove': '{spender} erlauben, deine gesamten {token} zu bewegen',
  'approval.disallowMove': '{spender} nicht mehr erlauben, deine {token} zu bewegen',
  'approval.unlimitedTitle': 'Unbegrenzte Ausgaben',
  'approval.unlimitedHint':
    'Deine gesamten {token} könnten damit abgehoben werden, jetzt oder später.',
  'approval.collection': 'Eine ganze Sammlung',
  'approval.collectionHint':
    'Alles daraus könnte weggenommen werden, jetzt oder später, ohne dass du noch einmal gefragt wirst.',
  'approval.tickSpender': 'Ich kenne diesen Contract und will es ihm erlauben.',
  'approval.tickOperator': 'Ich vertraue diesem Contract alles daraus an.',
  'approval.tickSend': 'Trotzdem senden.',

  'limit.title': 'Wie viel {token}',
  'limit.only': 'Nur {amount}',
  'limit.needed': 'So viel braucht der Tausch',
  'limit.balance': 'Alles, was du jetzt hast',
  'limit.other': 'Anderer Betrag',
  'limit.field': 'Ausgabelimit in {token}',
  'limit.unlimitedHint': 'Was die Website verlangt: alles, was du hast, jetzt und später',
  'limit.number': 'Gib eine Zahl ein, zum Beispiel {example}.',
  'limit.zero': 'Gib mehr als 0 ein.',
  'limit.decimals': '{token} hat höchstens {n} Nachkommastellen.',
  'limit.unlimited': 'Das ist so viel wie unbegrenzt. Wähle stattdessen „Unbegrenzt“.',
  'limit.examining': 'Der neue Betrag wird geprüft …',
  'limit.failed':
    'Der Betrag konnte nicht geprüft werden und bleibt, wie er war. Versuche es noch einmal.',

  'swap.exactPay': '{pay} gegen mindestens {get} tauschen',
  'swap.exactGet': 'Höchstens {pay} gegen {get} tauschen',
  'swap.most': 'Du zahlst höchstens',
  'swap.least': 'Du erhältst mindestens',
  'swap.atLeast': '{token}, mindestens',
  'swap.thisAccount': 'Dieses Konto',
  'swap.contractOf': 'Contract von {token}',
  'swap.router': 'Getauscht von {name}',
  'swap.elsewhere': 'Jemand anderes erhält die Coins',
  'swap.elsewhereHint': 'Du zahlst, aber {token} gehen an {to} und nicht an dieses Konto.',
  'swap.noMinimum': 'Kein Mindestbetrag',
  'swap.noMinimumHint':
    'Dieser Tausch kann auch gelingen, wenn du nichts für deine Zahlung erhältst.',

  'approval.create': 'Contract erstellen',
  'approval.unknown': 'Unbekannten Contract aufrufen',
  'approval.unknownTitle': 'Wir können nicht sagen, was das tut',
  'approval.unknownHint':
    'Wir kennen diesen Aufruf nicht. Fahre nur fort, wenn du dieser Website voll vertraust.',
  'approval.simulatedHint':
    'Wir kennen diesen Aufruf nicht. Unten steht, was sich bei unserem Test geändert hat. Beim Senden kann es anders sein.',
  'approval.again': 'Ohne Gewissheit bestätigen?',
  'approval.stillUnknown': 'Weiterhin unbekannt',
  'approval.stillUnknownHint':
    'Alle Coins dieses Kontos könnten bewegt werden. Niemand kann das rückgängig machen.',
  'approval.tickUnknown': 'Mir ist klar, dass ich nicht wissen kann, was passiert.',

  'approval.gas': 'Gas, höchstens',
  'approval.short': 'Es fehlen {amount}',
  'approval.shortHint':
    'Das Guthaben reicht nicht für den Betrag und das Gas. Lade zuerst {token} auf.',
  'approval.fails': 'Das würde fehlschlagen',
  'approval.failsHint': 'Wir haben es vorab getestet: {reason}. Das Gas wäre verloren.',
  'approval.notTried': 'Nicht vorab getestet',
  'approval.notTriedHint':
    'Das Netzwerk hat nicht geantwortet. Die Beträge unten sind die, die der Aufruf nennt.',

  'approval.fee': 'Netzwerkgebühr',
  'approval.feeBySite': 'Zahlt die Website',
  'approval.feeByYou': 'Höchstens {amount}, zahlst du',
  'approval.calls': '{n} Aufrufe, entweder alle oder keiner',
  'approval.shortSmart': 'Das Guthaben des Smart Accounts reicht nicht. Lade zuerst {token} auf.',
  'approval.shortSmartFee':
    'Das Guthaben des Smart Accounts reicht nicht für den Betrag und die Gebühr. Lade zuerst {token} auf.',
  'approval.creates': 'Legt deinen Smart Account an',
  'approval.createsHint':
    'Du verwendest ihn zum ersten Mal auf {network}. Die Adresse bleibt gleich.',

  'window.title': 'In einem Fenster bestätigen',
  'window.hint':
    'Dieser Browser kann nicht erkennen, ob die Seite Teile der Wallet verdeckt. In einem eigenen Fenster kann nichts verdeckt werden.',
  'window.review': 'Anfrage prüfen',
  'window.show': 'Fenster anzeigen',
  'window.open':
    'Fahre in dem Fenster fort, das sich geöffnet hat. Wenn du es schließt, wird die Anfrage abgelehnt.',
  'window.blocked':
    'Der Browser hat das Fenster blockiert. Erlaube Pop-ups für diese Seite und versuche es noch einmal.',
  'window.loading': 'Die Anfrage wird geladen …',
  'window.lost': 'Zu diesem Fenster gehört keine Seite mehr',
  'window.lostHint': 'Schließe es und beginne auf der Seite von vorn, die es geöffnet hat.',

  'solana.hidden': 'Das ist eine Transaktion, keine Nachricht',
  'solana.hiddenHint':
    '{site} will die Unterschrift einer Transaktion, ohne es zu sagen. So werden Coins gestohlen.',
  'solana.transactions': 'Transaktionen bestätigen',
  'solana.sign': '{n} Transaktionen unterschreiben',
  'solana.approveAll': 'Alle bestätigen',
  'solana.position': '{position} von {n}',
  'solana.actions': '{n} Aktionen bestätigen',
  'solana.nothing': 'Eine Transaktion unterschreiben, die nichts bewegt',
  'solana.reassigned': 'Damit würdest du dein Konto weggeben',
  'solana.reassignedHint':
    'Das Konto würde einem Programm gehören, das alles daraus nehmen könnte. Keine Website darf das verlangen.',
  'solana.reassignedTried':
    'Wir haben es vorab getestet: Das Konto würde einem Programm gehören, das alles daraus nehmen könnte.',
  'solana.unknown': 'Unbekanntes Programm ausführen',
  'solana.unknownTitle': 'Wir können nicht alles sagen, was das tut',
  'solana.unknownHint':
    'Es führt ein Programm aus, das wir nicht kennen. Fahre nur fort, wenn du dieser Website voll vertraust.',
  'solana.againHint':
    'Es könnte etwas anderes tun als bei unserem Test und alle Coins dieses Kontos bewegen.',
  'solana.tick': 'Trotzdem bestätigen.',
  'solana.fee': 'Gebühr',
  'solana.feeBy': 'Gebühr zahlt',
  'solana.feeUnknown': 'Vom Netzwerk nicht genannt',
  'solana.feeUnknownTitle': 'Unbekannte Gebühr',
  'solana.feeHigh': 'Eine Gebühr von {amount}',
  'solana.feeHint':
    'Du zahlst sie auch, wenn die Transaktion fehlschlägt. Die meisten Transaktionen kosten weniger als {amount}.',
  'solana.signedBy': 'Unterschreibt auch',
  'solana.token': 'Token {mint}',
  'solana.tokenAmount': '{amount} des Tokens {mint}',
  'solana.tokenUnits': '{n} Einheiten des Tokens {mint}',
  'solana.unknownAmount': '{amount} eines unbekannten Tokens',
  'solana.unknownUnits': '{n} Einheiten eines unbekannten Tokens',
  'solana.later': 'Spätere Ausgaben',
  'solana.laterHint':
    '{amount} könnten jederzeit abgehoben werden, ohne dass du noch einmal gefragt wirst.',
  'solana.laterTried':
    'Wir haben es vorab getestet: {spender} könnte danach Token dieses Kontos ausgeben.',
  'solana.control': 'Jemand anderes bekommt die Kontrolle',
  'solana.controlHint': 'Der neue Inhaber könnte alles daraus nehmen, jetzt oder später.',
  'solana.controlTried':
    'Wir haben es vorab getestet: Jemand anderes hätte die Kontrolle über das Tokenkonto {account}.',
  'solana.durable': 'Sie läuft nicht ab',
  'solana.durableHint':
    'Die Website kann sie jederzeit später senden, wenn dein Guthaben vielleicht ein anderes ist.',
  'solana.failsHint': 'Wir haben es vorab getestet: {reason}. Die Gebühr wäre verloren.',
  'solana.notTriedHint':
    'Das Netzwerk hat nicht geantwortet. Die Beträge unten sind die, die die Transaktion nennt.',
  'solana.memo': 'Notiz',
  'solana.memoBytes': '{n} Bytes, die kein Text sind',
  'solana.move': '{amount} von {from} an {to} übertragen',
  'solana.from': 'Von',
  'solana.create': 'Konto mit {amount} anlegen',
  'solana.account': 'Konto',
  'solana.program': 'Programm',
  'solana.newOwner': 'Neuer Eigentümer',
  'solana.nonceAccount': 'Nonce-Konto',
  'solana.newTokenAccount': 'Neues Tokenkonto für',
  'solana.tokenAccount': 'Tokenkonto',
  'solana.mint': 'Mint',
  'solana.revoke': 'Niemand anderem mehr erlauben, die Token eines Kontos auszugeben',
  'solana.burn': '{amount} vernichten',
  'solana.closeOwn': 'Tokenkonto schließen; seine SOL gehen an dich',
  'solana.close': 'Tokenkonto schließen; seine SOL gehen an {to}',
  'solana.solTo': 'SOL an',
  'solana.giveControl': 'Die Kontrolle über ein Tokenkonto abgeben',
  'solana.tickControl': 'Ich will, dass jemand anderes die Kontrolle hat.',
  'solana.newHolder': 'Neuer Inhaber',
  'solana.nobody': 'Niemand',
  'solana.allowAll': '{spender} erlauben, alles von einem Token auszugeben',
  'solana.unlimitedHint':
    'Alle deine Einheiten dieses Tokens könnten abgehoben werden, jetzt oder später.',
  'solana.tickSpender': 'Ich kenne dieses Konto und will es ihm erlauben.',

  'recovery.passkey': 'Meinen Passkey verwenden',
  'recovery.password': 'Wiederherstellungspasswort',
  'recovery.createPasskey': 'Passkey erstellen',
  'recovery.restore': 'Wiederherstellen',
  'recovery.restoring': 'Wird wiederhergestellt …',
  'restore.label': 'Wallet wiederherstellen',
  'restore.title': 'Stelle deine Wallet auf diesem Gerät wieder her',
  'restore.hint': 'Du bist angemeldet, aber dieser Browser hat deine Wallet noch nicht.',
  'restore.open': 'Fahre in dem Fenster fort, das sich geöffnet hat. Es zeigt dieselbe Nummer an:',
  'restore.window': 'Meinen Passkey in einem Fenster verwenden',
  'restore.none':
    'Diese Wallet hat keine Wiederherstellungsmethode. Verwende das Gerät, auf dem du sie erstellt hast.',
  'confirm.title': 'Bestätige, dass du es bist',
  'confirm.hint':
    'Dieser Browser hat deine Wallet noch nicht. Um sie wiederherzustellen, gib einen Code aus einer E-Mail an {email} ein.',
  'confirm.noEmail':
    'Dieser Browser hat deine Wallet noch nicht, und deine Anmeldung liegt länger zurück. Melde dich auf dieser Website ab und wieder an, um sie wiederherzustellen.',
  'confirm.continue': 'Weiter',
  'protect.label': 'Wallet schützen',
  'protect.title': 'Schütze zuerst deine Wallet',
  'protect.hint':
    'Damit stellst du sie auf einem anderen Gerät wieder her. Niemand kann das für dich tun: Ohne diesen Schutz ist die Wallet verloren, wenn die Daten dieses Browsers gelöscht werden.',
  'protect.set': 'Passwort festlegen',
  'protect.none':
    'Diese Seite lässt die Wallet keine Passkeys verwenden, und die Website bietet keine andere Wiederherstellung. Öffne sie in einem anderen Browser, oder sag ihrem Betreiber Bescheid.',
  'offer.label': 'Passkey hinzufügen',
  'offer.title': 'Deiner Wallet einen Passkey hinzufügen?',
  'offer.hint':
    'Dann kannst du sie auf einem anderen Gerät selbst dann wiederherstellen, wenn die automatische Wiederherstellung des Servers ausfällt.',
  'offer.automatic':
    'Die automatische Wiederherstellung ist an: Auch der Betreiber dieses Servers kann deine Wallet wiederherstellen. Mit einem Passkey kannst du das in den Wallet-Einstellungen ausschalten.',
  'alone.label': 'Ohne den Server unterschreiben',
  'alone.title': 'Der Wallet-Server antwortet nicht',
  'alone.hint':
    'Du kannst trotzdem unterschreiben: Dieser Browser und deine Wiederherstellungsmethode genügen.',
  'alone.noPasskeys':
    'Mit deinem Passkey ginge es auch ohne ihn, aber auf dieser Seite darf die Wallet keine Passkeys verwenden. Versuche es später noch einmal.',
  'alone.sign': 'Unterschreiben',
  'alone.signing': 'Wird unterschrieben …',
  'passkey.title': 'Weiter mit einem Passkey',
  'passkey.opening': 'Wird geöffnet …',
  'passkey.create': 'Wallet mit einem Passkey erstellen',
  'passkey.creating': 'Wird erstellt …',
  'passkey.hint':
    'Der Passkey ist der einzige Schlüssel zu einer neuen Wallet, bis du in den Wallet-Einstellungen ein Passwort, einen zweiten Passkey oder eine Sicherung hinzufügst.',
  'passkey.loginOnly': 'Du bist angemeldet',
  'passkey.automatic':
    'Mit deinem Passkey kannst du dich nur anmelden. Die automatische Wiederherstellung öffnet die Wallet auf anderen Geräten: Eine Anmeldung genügt.',
  'passkey.password':
    'Mit deinem Passkey kannst du dich nur anmelden. Lege im nächsten Schritt ein Passwort fest, damit du die Wallet auf anderen Geräten wiederherstellen kannst.',
  'passkey.notAllowed': 'Auf dieser Seite darf die Wallet keine Passkeys verwenden.',

  'login.email': 'E-Mail-Adresse',
  'login.code': 'Code aus der E-Mail an {email}',
  'login.names':
    'Die E-Mail muss {origin} nennen. Wenn sie eine andere Seite nennt, gib ihren Code nicht ein.',
  'login.send': 'Code senden',
  'login.openLink': 'Öffne den Link in der E-Mail …',

  'problem.unknown': 'Etwas ist schiefgelaufen. Versuche es noch einmal.',
  'problem.frame.offline':
    'Der Wallet-Server hat nicht geantwortet. Prüfe deine Verbindung und versuche es noch einmal.',
  'problem.frame.blocked':
    'Der Browser hat das Fenster blockiert. Erlaube Pop-ups für diese Seite.',
  'problem.frame.passkey':
    'Es wurde kein Passkey verwendet. Versuche es noch einmal oder nimm eine andere Methode.',
  'problem.frame.passkey_prf':
    'Passkeys dieses Geräts oder Browsers können keine Wallet schützen. Nimm ein anderes Gerät, einen anderen Browser oder eine andere Methode.',
  'problem.frame.passkey_retry':
    'Passkeys dieses Geräts oder Browsers können keine Wallet schützen. Versuche es noch einmal, um dich mit einem nur anzumelden.',
  'problem.frame.passkey_other': 'Dieser Passkey gehört zu einer anderen Wallet.',
  'problem.frame.password_none': 'Die Wallet hat kein Passwort.',
  'problem.frame.password_wrong': 'Falsches Passwort.',
  'problem.frame.export_email':
    'Füge deiner Wallet zuerst eine E-Mail-Adresse hinzu. Dein Passkey kann das nicht bestätigen.',
  'problem.frame.code_other': 'Dieser Code gehört zu einer anderen Wallet.',
  'problem.frame.owner':
    'Der Server hat für diese Wallet die Adresse eines anderen Smart Accounts gezeigt. Verwende diese Adresse nicht und wende dich an die Website.',
  'problem.frame.methods_changed':
    'Die Methoden zur Wiederherstellung dieser Wallet wurden auf einem anderen Gerät geändert. Schließe das hier und versuche es noch einmal.',
  'problem.frame.methods_not_stored':
    'Die Wiederherstellungsmethoden wurden nicht gespeichert. Versuche es noch einmal.',
  'problem.frame.methods_forged':
    'Der Server hat Wiederherstellungsmethoden gesendet, die deine Wallet nicht signiert hat. Es wurde nichts geändert. Wende dich an die Website.',
  'problem.frame.other_tab': 'Ein anderer Tab ändert gerade die Wallet.',
  'problem.frame.no_wallet': 'Dieses Gerät hat keine Wallet. Melde dich neu an.',
  'problem.frame.wallet_changed':
    'Die Wallet wurde auf einem anderen Gerät geändert. Melde dich neu an.',
  'problem.frame.window_needed':
    'Dieser Browser hat deine Wallet noch nicht, und eine Anmeldung ohne Fenster kann sie nicht wiederherstellen. Melde dich ab und dann mit einem Fenster an: Erlaube Pop-ups für diese Website, oder öffne sie in deinem üblichen Browser.',
  'problem.frame.has_wallet': 'Dieses Gerät hat die Wallet bereits.',
  'problem.password_short':
    'Verwende mindestens {n} Zeichen. Am besten sind ein paar zufällige Wörter.',
  'problem.password_simple':
    'Verwende mehr verschiedene Zeichen. Am besten sind ein paar zufällige Wörter.',
  'problem.password_email': 'Verwende darin nicht deine E-Mail-Adresse.',
  'problem.code_wrong': 'Falscher Code. Versuche es noch einmal.',
  'problem.code_expired': 'Dieser Code ist abgelaufen. Fordere einen neuen an.',
  'problem.too_soon':
    'Warte, bevor du einen weiteren Code anforderst. Versuche es in {time} noch einmal.',
  'problem.too_many_codes':
    'Es wurden zu viele Codes angefordert. Versuche es in {time} noch einmal.',
  'problem.too_many_recoveries':
    'Zu viele Wiederherstellungen an einem Tag. Versuche es in {time} noch einmal.',
  'problem.mail_unavailable':
    'Diese Website kann gerade keine E-Mails senden. Versuche es später noch einmal.',
  'problem.email_taken': 'Ein anderes Konto hat diese Adresse.',
  'problem.email_moved':
    'Diese Adresse wurde durch eine andere ersetzt. Melde dich mit der neuen an.',
  'problem.no_handover': 'Dieser Link wurde schon verwendet oder ist abgelaufen. Beginne von vorn.',
  'problem.passkey_wrong':
    'Dieser Passkey ist hier nicht bekannt. Verwende einen anderen oder erstelle eine Wallet.',
  'problem.login_too_old': 'Melde dich neu an, um die Wallet auf diesem Gerät wiederherzustellen.',
  'problem.last_set':
    'Kein anderes Gerät kann deine Wallet zurzeit wiederherstellen. Öffne die Wallet zuerst auf einem anderen Gerät.',
  'problem.recovery_changed':
    'Die Wiederherstellungsmethoden wurden auf einem anderen Gerät geändert. Schließe das hier und versuche es noch einmal.',

  'settings.title': 'Wallet-Einstellungen',
  'settings.confirm':
    'Eine deiner Websites verlangt, dass neue Geräte bestätigt werden. Melde dich noch einmal an, mit dem Link in einer E-Mail.',
  'settings.login':
    'Melde dich an, um Geräte, Wiederherstellung und Sicherungen deiner Wallet zu verwalten.',
  'settings.usePasskey': 'Passkey verwenden',
  'settings.logIn': 'Anmelden',
  'settings.logOut': 'Abmelden',
  'settings.account': 'Konto',
  'settings.passkey': 'Passkey',
  'settings.ethereum': 'Ethereum-Adresse',
  'settings.solana': 'Solana-Adresse',
  'settings.remove': 'Entfernen',

  'email.title': 'E-Mail-Adresse',
  'email.hint':
    'Mit einer Adresse kannst du dich ohne den Passkey anmelden und bekommst zu jeder Änderung eine E-Mail.',
  'email.add': 'Adresse hinzufügen',

  'methods.title': 'Wiederherstellung',
  'methods.hint': 'So bekommst du deine Wallet auf einem anderen Gerät zurück.',
  'methods.outdated':
    'Eine entfernte Methode oder ein entferntes Gerät kann deine Wallet vielleicht noch wiederherstellen. Um das zu verhindern, melde dich neu an, wähle „Methoden ändern“ und bestätige einmal mit jeder deiner Methoden.',
  'methods.unconfirmed': 'Noch nicht bestätigt: Bestätige einmal damit.',
  'methods.passkey': 'Ein Passkey',
  'methods.passkeys': '{n} Passkeys',
  'methods.password': 'Ein Passwort',
  'methods.automatic': 'Automatisch',
  'methods.automaticHint':
    'Eine Anmeldung genügt. Auch der Betreiber dieses Servers kann deine Wallet wiederherstellen.',
  'methods.removeAutomatic': 'Automatische Wiederherstellung entfernen',
  'methods.named': 'Passkey: {name}',
  'methods.passwordName': 'Passwort',
  'methods.added': 'Hinzugefügt am {date}',
  'methods.removeNamed': '{name} entfernen',
  'methods.change': 'Methoden ändern',
  'methods.confirm': 'Bestätige, dass du es bist.',
  'methods.confirmAction': 'Bestätigen',
  'methods.addPasskey': 'Passkey hinzufügen',
  'methods.newPassword': 'Neues Passwort',
  'methods.changePassword': 'Passwort ändern',
  'methods.setPassword': 'Passwort festlegen',
  'methods.turnOn': 'Automatische Wiederherstellung einschalten',

  'devices.title': 'Geräte',
  'devices.this': 'dieses Fenster',
  'devices.used': 'verwendet am {time}',
  'devices.remove': '{name} bei {site} entfernen',
  'devices.hint':
    'Ein Gerät, das du entfernst, kann nicht mehr selbst unterschreiben. Falls jemand anderes es benutzt hat, übertrage alles, was dir gehört, in eine andere Wallet.',
  'devices.everywhere': 'Überall abmelden',

  'backup.title': 'Sicherung',
  'backup.hint':
    'Eine Sicherung öffnet deine Wallet ohne diesen Server. Wer deine geheime Phrase hat, kann alles aus der Wallet nehmen. Der Support fragt nie danach.',
  'backup.save': 'Verschlüsselte Sicherung speichern',
  'backup.phrase': 'Geheime Phrase anzeigen',
  'backup.sentence': 'meine Phrase anzeigen',
  'backup.type': 'Gib „{sentence}“ ein',
  'backup.show': 'Anzeigen',
  'backup.password': 'Passwort der Sicherung',
  'backup.saveFile': 'Speichern',
  'backup.encrypting': 'Wird verschlüsselt …',
  'backup.phraseLabel': 'Geheime Phrase',
  'backup.hold': 'Zum Anzeigen gedrückt halten',
  'backup.fileHint':
    'Bewahre die Datei und ihr Passwort an verschiedenen Orten auf. Du öffnest sie mit {command}, auch wenn es diesen Server nicht mehr gibt.',
  'backup.download': '{file} herunterladen',
  'backup.done': 'Fertig',

  'history.title': 'Verlauf',
  'history.login': 'Angemeldet',
  'history.login_new_device': 'Auf einem neuen Gerät angemeldet',
  'history.logout': 'Abgemeldet',
  'history.logout_everywhere': 'Überall abgemeldet',
  'history.session_reused': 'Sitzung beendet, deren Token zweimal verwendet wurde',
  'history.wallet_created': 'Wallet erstellt',
  'history.shares_changed': 'Wallet auf einem Gerät eingerichtet',
  'history.recovery': 'Wallet auf einem Gerät wiederhergestellt',
  'history.escrow': 'Automatische Wiederherstellung verwendet',
  'history.recovery_changed': 'Wiederherstellungsmethoden geändert',
  'history.recovery_key_changed': 'Wiederherstellungsschlüssel ersetzt',
  'history.device_removed': 'Gerät entfernt',
  'history.phrase_shown': 'Geheime Phrase angezeigt',
  'history.backup_saved': 'Sicherung gespeichert',
  'history.passkey_added': 'Passkey hinzugefügt',
  'history.email_changed': 'E-Mail-Adresse geändert',
  'history.email_change_undone': 'Änderung der E-Mail-Adresse rückgängig gemacht',

  'handover.for':
    'Für {device} bei {site}. Fahre nur fort, wenn du dieses Fenster gerade dort geöffnet hast und dort dieselbe Nummer steht:',
  'handover.done': 'Fertig',
  'handover.doneHint':
    'Kehre zu der Seite zurück, die dieses Fenster geöffnet hat. Du kannst es schließen.',
}

export default de
