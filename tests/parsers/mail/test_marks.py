from __future__ import annotations

import pytest

from parsers.mail.marks import attribution_length, header_block, header_length, opens_message


@pytest.mark.parametrize(
    "line",
    [
        "-----Original Message-----",
        "-----Ursprüngliche Nachricht-----",
        "----- Message d'origine -----",
        "-----Mensaje original-----",
        "-----Mensagem original-----",
        "---- Messaggio originale ----",
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "Anfang der weitergeleiteten Nachricht:",
        "Inizio messaggio inoltrato:",
        "-----Oorspronkelijk bericht-----",
        "-----元のメッセージ-----",
    ],
)
def test_lines_that_open_an_earlier_mail(line: str) -> None:
    assert opens_message(line)


@pytest.mark.parametrize("line", ["original message below", "----------", "98-98 1/4", "forwarded message rates 3.5"])
def test_lines_that_do_not(line: str) -> None:
    assert not opens_message(line)


@pytest.mark.parametrize(
    "line",
    [
        "On Tue, Nov 17, 2026 at 4:12 PM Zola Bergstrom <z@b.example> wrote:",
        "On 17 Nov 2026, at 15:20, Anouk Dekker wrote:",
        "At 05:19 PM 17/11/26 +0200, Anouk Dekker wrote:",
        "Am 18.11.2026 um 09:14 schrieb Solveig Brandt:",
        "Le mar. 17 nov. 2026 à 16:12, Zoé a écrit :",
        "El mar, 17 nov 2026 a las 16:12, Zoe escribió:",
        "Em ter., 17 de nov. de 2026 às 16:12, Zoe escreveu:",
        "Op di 17 nov 2026 om 16:12 schreef Anouk Dekker <a@d.example>:",
        "Den tis 17 nov. 2026 kl 16:12 skrev Zoe <z@b.example>:",
        "2026年11月17日(火) 16:12 Taro <t@b.example>:",
        "Taro <t@b.example> 于2026年11月17日周二 16:12写道：",
        "Il giorno mar 17 nov 2026 alle 16:12 Zoe ha scritto:",
    ],
)
def test_attributions_in_ten_languages(line: str) -> None:
    assert attribution_length([line]) == 1
    middle = line.rfind(" ", 0, len(line) - 8)
    assert attribution_length([line[:middle], line[middle + 1 :]]) == 2


@pytest.mark.parametrize(
    "line", ["On the run 10y 4.12/4.11", "At 98.25 he wrote:", "Am Markt 98,25/98,35", "wrote:", ""]
)
def test_lines_that_attribute_nothing(line: str) -> None:
    assert attribution_length([line, "next"]) == 0


@pytest.mark.parametrize(
    "lines",
    [
        ["From: A <a@b.c>", "Sent: Tuesday, November 17, 2026 4:05 PM", "To: B", "Subject: HY run"],
        ["Von: A <a@b.c>", "Gesendet: Dienstag, 17. November 2026 16:05", "An: B", "Betreff: HY"],
        ["De : A <a@b.c>", "Envoyé : mardi 17 novembre 2026 16:05", "À : B", "Objet : HY"],
        ["De: A <a@b.c>", "Enviado el: martes, 17 de noviembre de 2026 16:05", "Para: B", "Asunto: HY"],
        ["De: A <a@b.c>", "Enviada em: terça-feira, 17 de novembro de 2026 16:05", "Para: B", "Assunto: HY"],
        ["Da: A <a@b.c>", "Inviato: martedì 17 novembre 2026 16:05", "A: B", "Oggetto: HY"],
        ["Van: A <a@b.c>", "Verzonden: dinsdag 17 november 2026 16:05", "Aan: B", "Onderwerp: HY"],
        ["差出人: A <a@b.c>", "送信日時: 2026年11月17日 16:05", "宛先: B", "件名: HY"],
        ["发件人：A <a@b.c>", "发送时间：2026年11月17日 16:05", "收件人：B", "主题：HY"],
        ["*From:* A <a@b.c>", "*Date:* Tue, 17 Nov 2026 16:05 +0000", "*Subject:* HY"],
    ],
)
def test_quoted_headers_in_nine_languages(lines: list[str]) -> None:
    found = header_block([*lines, "", "T+85/80"])
    assert found["from"] == "A <a@b.c>"
    assert "2026" in found["date"]
    assert found["subject"].startswith("HY")
    assert header_length([*lines, "", "T+85/80"]) == len(lines)


def test_a_line_that_only_looks_like_a_sender_is_none() -> None:
    assert header_block(["From: our desk this morning", "98.25/98.75", "99/100"]) == {}
