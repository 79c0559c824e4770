// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC721} from '@openzeppelin/contracts/token/ERC721/ERC721.sol';
import {ERC721Enumerable} from '@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol';
import {Base64} from '@openzeppelin/contracts/utils/Base64.sol';
import {Strings} from '@openzeppelin/contracts/utils/Strings.sol';

/// An ERC-721 whose metadata and images are data URIs, so that they need no other host. Anyone can mint.
contract Plates is ERC721Enumerable {
    using Strings for uint256;

    constructor() ERC721('Plates of the Book', 'PLATE') {}

    /// @return tokenId the number of the new plate, counted from 1
    function mint(address to) external returns (uint256 tokenId) {
        tokenId = totalSupply() + 1;
        _safeMint(to, tokenId);
    }

    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireMinted(tokenId);
        bytes memory json = abi.encodePacked(
            '{"name":"Plate ',
            tokenId.toString(),
            '","description":"A picture plate from the Book of Ethereum.","image":"data:image/svg+xml;base64,',
            Base64.encode(_image(tokenId)),
            '","attributes":[{"trait_type":"Hue","value":',
            _hue(tokenId).toString(),
            '}]}'
        );
        return string.concat('data:application/json;base64,', Base64.encode(json));
    }

    /// Hues are a golden angle apart, so that consecutive plates differ.
    function _hue(uint256 tokenId) private pure returns (uint256) {
        return (tokenId * 137 + 88) % 360;
    }

    /// An octahedron over the fold of an open book, lit from the left.
    function _image(uint256 tokenId) private pure returns (bytes memory) {
        string memory hue = _hue(tokenId).toString();
        string memory far = ((_hue(tokenId) + 48) % 360).toString();
        return
            abi.encodePacked(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><defs>',
                '<linearGradient id="s" x2="1" y2="1"><stop stop-color="hsl(',
                hue,
                ' 72% 22%)"/><stop offset="1" stop-color="hsl(',
                far,
                ' 76% 56%)"/></linearGradient></defs><rect width="400" height="400" fill="url(#s)"/>',
                '<g fill="#fff"><path opacity=".95" d="M200 62l-74 124 74 44z"/><path opacity=".7" d="M200 62l74 124-74 44z"/>',
                '<path opacity=".9" d="M126 204l74 44v62z"/><path opacity=".55" d="M274 204l-74 44v62z"/>',
                '<path opacity=".24" d="M200 344c-34-24-82-30-136-22v-76c54-8 102-2 136 22z"/>',
                '<path opacity=".16" d="M200 344c34-24 82-30 136-22v-76c-54-8-102-2-136 22z"/></g></svg>'
            );
    }
}
